using System.Runtime.InteropServices;
using System.Security.Cryptography;
using Restore.Cli.Help;
using Restore.Cli.Interop;
using Restore.Interop;

namespace Restore.Cli.Commands;

/// <summary>Looks at what a restore on this machine can use, before it is needed.</summary>
internal sealed class SelfCheckCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "self-check";

    public string Summary => "check what this machine has that a restore needs or can use";

    public IReadOnlyList<Operand> Operands => [new Operand("[folder ...]", "where to look for room, such as a target; else the current folder")];

    public IReadOnlyList<OptionGroup> Options => [shared.Output, shared.Program];

    public IReadOnlyList<string> Examples => ["restore self-check", "restore self-check /mnt/new-disk --json"];

    public async Task<int> RunAsync(CommandContext context)
    {
        var folders = context.Request.Operands is { Count: > 0 } given ? given : [Environment.CurrentDirectory];
        List<CheckedPart> parts =
        [
            new("program", PartState.Ok, $"restore {VersionAction.ProgramVersion()}"),
            new("system", PartState.Ok, $"{RuntimeInformation.OSDescription}, {Units.Count(Environment.ProcessorCount, "processor")}"),
            MachineParts.Memory(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes),
            MachineParts.Clock(TimeProvider.System, File.GetLastWriteTimeUtc(Environment.ProcessPath!)),
            .. folders.Select(MachineParts.Room),
            .. await MachineParts.ProgramsAsync(context),
            MachineParts.Fuse(),
            .. await SelfTrial.RunAsync(context),
        ];
        context.Write(
            () => new JsonObject { ["parts"] = new JsonArray([.. parts.Select(part => (JsonNode)part.ToJson())]) },
            output => parts.ForEach(part => output.WriteLine(SafeText.Escape($"{part.Mark,-8} {part.Name,-10} {part.Text}"))));
        return parts.Exists(part => part.State == PartState.Wrong) ? ExitCodes.Failed : ExitCodes.Complete;
    }
}

internal enum PartState
{
    Ok,

    /// <summary>A restore works without it; the text says what does not.</summary>
    Missing,

    /// <summary>A restore will fail, or cannot be trusted.</summary>
    Wrong,
}

/// <summary>Something of the machine, and what a restore has of it.</summary>
internal sealed record CheckedPart(string Name, PartState State, string Text)
{
    public string Mark => State.ToString().ToLowerInvariant();

    public JsonObject ToJson() => new() { ["name"] = Name, ["state"] = Mark, ["text"] = Text };
}

internal static class MachineParts
{
    private const long LeastMemoryBytes = 256L << 20;
    private const long LeastRoomBytes = 64L << 20;
    private const int MostCharacters = 16 << 10;

    // A program that takes longer to print its version does not run.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    // Programs with the options that print their version, and what needs them.
    private static readonly (string Name, string[] Others, string Argument, string Needs)[] Programs =
    [
        ("gpg", ["gpg2"], "--version", "backups encrypted with GnuPG (.gpg) cannot be read"),
        ("par2", [], "--version", "damaged volumes are not repaired from .par2 files"),
        ("rclone", [], "version", "stores that 'restore stores' lists as reached by rclone cannot be read"),
    ];

    public static CheckedPart Memory(long bytes) => bytes < LeastMemoryBytes
        ? new("memory", PartState.Wrong, $"{Units.Bytes(bytes)} for this process; a restore needs about {Units.Bytes(LeastMemoryBytes)}")
        : new("memory", PartState.Ok, $"{Units.Bytes(bytes)} for this process");

    /// <summary>Servers refuse requests and certificates of another time.</summary>
    public static CheckedPart Clock(TimeProvider clock, DateTime programTime)
    {
        var now = clock.GetUtcNow();
        var text = $"{Units.Time(now, clock)}, time zone {clock.LocalTimeZone.Id}";
        return now < programTime.AddDays(-1)
            ? new("clock", PartState.Wrong, $"{text}: before this program was written; servers refuse such a clock")
            : OperatingSystem.IsLinux() && !HostLibc.IsClockSynchronized()
                ? new("clock", PartState.Missing, $"{text}: not synchronized; S3 and others refuse a clock that is minutes wrong")
                : new("clock", PartState.Ok, text);
    }

    public static CheckedPart Room(string folder)
    {
        try
        {
            // The next folder above that exists is on the same file system.
            var whole = Path.GetFullPath(folder);
            var place = whole;
            while (!Directory.Exists(place))
            {
                place = Path.GetDirectoryName(place) ?? throw new DirectoryNotFoundException("there is no such folder");
            }

            var (free, total, format) = FolderRoom.At(place);
            var where = place == whole ? folder : $"{place}, as {folder} does not exist";
            var text = $"{Units.Bytes(free)} free of {Units.Bytes(total)} at {where}{(format is null ? "" : $" ({format})")}";
            return new("room", free < LeastRoomBytes ? PartState.Wrong : PartState.Ok, text);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return new("room", PartState.Wrong, $"{folder} cannot be looked at ({failure.Message})");
        }
    }

    public static async Task<IEnumerable<CheckedPart>> ProgramsAsync(CommandContext context)
    {
        List<CheckedPart> parts = [];
        foreach (var (name, others, argument, needs) in Programs)
        {
            var searched = context.Environment.Variable("PATH") ?? "";
            var path = others.Append(name).Select(program => SystemPrograms.Find(program, searched)).FirstOrDefault(found => found is not null);
            parts.Add(path is null ? new(name, PartState.Missing, $"not installed: {needs}")
                : await VersionAsync(path, argument, context.Environment.StopToken) is { } version ? new(name, PartState.Ok, $"{version} ({path})")
                : new(name, PartState.Missing, $"{path} does not run: {needs}"));
        }

        return parts;
    }

    public static CheckedPart Fuse()
    {
        const string Needs = "'restore mount' does not work";
        return !OperatingSystem.IsLinux() ? new("fuse", PartState.Missing, $"not on this system: {Needs}; 'restore browse' serves a backup as a WebDAV folder")
            : !File.Exists("/dev/fuse") ? new("fuse", PartState.Missing, $"/dev/fuse does not exist: {Needs}; load it with 'modprobe fuse'")
            : Libc.GetEUid() == 0 ? new("fuse", PartState.Ok, "the root user mounts by the system")
            : (SystemPrograms.Find("fusermount3") ?? SystemPrograms.Find("fusermount")) is { } helper ? new("fuse", PartState.Ok, $"mounts by {helper}")
            : new("fuse", PartState.Missing, $"only root can mount without the program fusermount3 (apt install fuse3): {Needs}");
    }

    /// <returns>The first line that the program prints about its version; null if it does not run.</returns>
    private static async Task<string?> VersionAsync(string path, string argument, CancellationToken cancellationToken)
    {
        try
        {
            await using var process = new ChildProcess(SystemPrograms.StartInfo(path, [argument]));
            process.Input.Close();
            var text = await process.ShortOutputAsync(MostCharacters, Patience, cancellationToken);
            return text is not null && await process.ExitCodeAsync(cancellationToken) == 0 ? text.Split('\n')[0].Trim() : null;
        }
        catch (Exception failure) when (failure is RestoreException or IOException)
        {
            return null;
        }
    }
}

/// <summary>Makes a small encrypted backup in a temporary folder and reads it back: processor, memory, libraries and disk work together.</summary>
internal static class SelfTrial
{
    private const int FileBytes = 1 << 20;
    private const int Files = 8;

    public static async Task<IEnumerable<CheckedPart>> RunAsync(CommandContext context)
    {
        string? folder = null;
        try
        {
            folder = Directory.CreateTempSubdirectory("restore-self-check-").FullName;
            return await RunAsync(folder, TimeProvider.System, context.Environment.StopToken);
        }
        catch (Exception failure) when (failure is RestoreException or IOException or UnauthorizedAccessException)
        {
            return [new("trial", PartState.Wrong, $"a small backup could not be made and read ({failure.Message})")];
        }
        finally
        {
            if (folder is not null)
            {
                Directory.Delete(folder, recursive: true);
            }
        }
    }

    private static async Task<IEnumerable<CheckedPart>> RunAsync(string folder, TimeProvider clock, CancellationToken cancellationToken)
    {
        var start = clock.GetTimestamp();
        var (source, destination) = (Path.Combine(folder, "source"), Path.Combine(folder, "backup"));
        Directory.CreateDirectory(source);
        for (var file = 0; file < Files; file++)
        {
            // Half of each file shrinks.
            var content = new byte[FileBytes];
            RandomNumberGenerator.Fill(content.AsSpan(0, FileBytes / 2));
            await File.WriteAllBytesAsync(Path.Combine(source, $"{file}"), content, cancellationToken);
        }

        var passphrase = Convert.ToHexString(RandomNumberGenerator.GetBytes(16));
        await new BackupWriter(new() { Sources = [source], Destination = destination, Passphrase = passphrase }).WriteAsync(cancellationToken);
        await using var backup = await Backup.OpenAsync(destination, new BackupOptions { Passphrase = passphrase }, cancellationToken);
        var plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { VerifyOnly = true }, cancellationToken: cancellationToken);
        var report = await backup.ExecuteAsync(plan, new ExecuteOptions { Profile = true }, cancellationToken);
        var isRight = report.IsComplete && report.FilesRestored == Files;
        return
        [
            Codecs(report),
            isRight
                ? new(
                    "trial", PartState.Ok,
                    $"a backup of {Units.Bytes(Files * FileBytes)} made, encrypted, read and verified in {Units.Duration(clock.GetElapsedTime(start))}")
                : new("trial", PartState.Wrong, "a backup made here is not right when it is read: suspect memory, processor or disk"),
        ];
    }

    private static CheckedPart Codecs(RestoreReport report)
    {
        var text = report.Choices.FirstOrDefault(choice => choice.Contains("Deflate", StringComparison.Ordinal)) ?? "";
        return text.Contains("libdeflate", StringComparison.Ordinal)
            ? new("codecs", PartState.Ok, text)
            : OperatingSystem.IsWindows() ? new("codecs", PartState.Ok, text)
            : new("codecs", PartState.Missing, $"{text}; with libdeflate (apt install libdeflate0) decompression is faster");
    }
}
