using Restore.Cli.Interop;
using Restore.Interop;

namespace Restore.Cli.Commands;

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

    public static CheckedPart Memory(long bytes) =>
        bytes < LeastMemoryBytes
            ? new(
                "memory",
                PartState.Wrong,
                $"{Units.Bytes(bytes)} for this process; a restore needs about {Units.Bytes(LeastMemoryBytes)}"
            )
            : new("memory", PartState.Ok, $"{Units.Bytes(bytes)} for this process");

    /// <summary>Servers refuse requests and certificates of another time.</summary>
    public static CheckedPart Clock(TimeProvider clock, DateTime programTime)
    {
        var now = clock.GetUtcNow();
        var text = $"{Units.Time(now, clock)}, time zone {clock.LocalTimeZone.Id}";
        return now < programTime.AddDays(-1)
                ? new("clock", PartState.Wrong, $"{text}: before this program was written; servers refuse such a clock")
            : OperatingSystem.IsLinux() && !HostLibc.IsClockSynchronized()
                ? new(
                    "clock",
                    PartState.Missing,
                    $"{text}: not synchronized; S3 and others refuse a clock that is minutes wrong"
                )
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
            var text =
                $"{Units.Bytes(free)} free of {Units.Bytes(total)} at {where}{(format is null ? "" : $" ({format})")}";
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
            var path = others
                .Append(name)
                .Select(program => SystemPrograms.Find(program, searched))
                .FirstOrDefault(found => found is not null);
            parts.Add(
                path is null ? new(name, PartState.Missing, $"not installed: {needs}")
                : await VersionAsync(path, argument, context.Environment.StopToken) is { } version
                    ? new(name, PartState.Ok, $"{version} ({path})")
                : new(name, PartState.Missing, $"{path} does not run: {needs}")
            );
        }

        return parts;
    }

    public static CheckedPart Fuse()
    {
        const string Needs = "'restore mount' does not work";
        return !OperatingSystem.IsLinux()
                ? new(
                    "fuse",
                    PartState.Missing,
                    $"not on this system: {Needs}; 'restore browse' serves a backup as a WebDAV folder"
                )
            : !File.Exists("/dev/fuse")
                ? new("fuse", PartState.Missing, $"/dev/fuse does not exist: {Needs}; load it with 'modprobe fuse'")
            : Libc.GetEUid() == 0 ? new("fuse", PartState.Ok, "the root user mounts by the system")
            : (SystemPrograms.Find("fusermount3") ?? SystemPrograms.Find("fusermount")) is { } helper
                ? new("fuse", PartState.Ok, $"mounts by {helper}")
            : new(
                "fuse",
                PartState.Missing,
                $"only root can mount without the program fusermount3 (apt install fuse3): {Needs}"
            );
    }

    /// <returns>The first line that the program prints about its version; null if it does not
    /// run.</returns>
    private static async Task<string?> VersionAsync(string path, string argument, CancellationToken cancellationToken)
    {
        try
        {
            await using var process = new ChildProcess(SystemPrograms.StartInfo(path, [argument]));
            process.Input.Close();
            var text = await process.ShortOutputAsync(MostCharacters, Patience, cancellationToken);
            return text is not null && await process.ExitCodeAsync(cancellationToken) == 0
                ? text.Split('\n')[0].Trim()
                : null;
        }
        catch (Exception failure) when (failure is RestoreException or IOException)
        {
            return null;
        }
    }
}
