using Restore.Cli.Interop;
using Restore.Cli.Options;
using Restore.Cli.Options.Groups;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore export</c>: entries of a version as an archive.</summary>
internal sealed class ExportCommand(SharedOptions shared) : ICliCommand
{
    private const int BufferBytes = 1 << 20;

    // The numbers of "no space left" on Windows and on other systems.
    private const int DiskFull = 112;
    private const int NoSpace = 28;

    private readonly ArchiveOptions archive = new(shared.OutputFile);

    public string Name => "export";

    public string Summary => "write files as a tar or zip archive";

    public IReadOnlyList<Operand> Operands => [Operand.Storage, Operand.Filters with { Meaning = "what to put into the archive; without one, everything" }];

    public IReadOnlyList<OptionGroup> Options => [archive, shared.Version, shared.Filters, shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples =>
        ["restore export /mnt/backup /home/ann/photos/ --zip --output=/mnt/photos.zip", "restore export /mnt/backup --tar --version=1"];

    public async Task<int> RunAsync(CommandContext context)
    {
        var (format, path) = archive.Of(context.Line);
        try
        {
            return await context.WithBackupAsync(backup => path is null
                ? WriteAsync(context, backup, format, context.Environment.OpenOutput())
                : WriteFileAsync(context, backup, format, path));
        }
        catch (OutputClosedException)
        {
            // The reader has what it wanted; like other programs, this one ends without a word.
            return ExitCodes.Failed;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            var code = (failure.HResult & 0xFFFF) is DiskFull or NoSpace ? RestoreErrorCode.OutputFull : RestoreErrorCode.OutputNotWritable;
            throw new RestoreException(code, $"The archive cannot be written ({failure.Message})", path ?? "standard output", failure);
        }
    }

    private static async Task<int> WriteFileAsync(CommandContext context, Backup backup, ArchiveFormat format, string path)
    {
        OutputFile.Check("--output", path);
        if (File.Exists(path))
        {
            throw new RestoreException(RestoreErrorCode.OutputExists, "The file exists already", path);
        }

        using AtomicFile file = new(path);
        var code = await WriteAsync(context, backup, format, file.Stream);
        file.Commit();
        return code;
    }

    private static async Task<int> WriteAsync(CommandContext context, Backup backup, ArchiveFormat format, Stream output)
    {
        ExportReport report;
        await using (output)
        {
            await using var buffered = new BufferedStream(output, BufferBytes);
            await using var view = context.OpenProgressView(verifyOnly: false);
            var options = new ExportOptions { Filter = context.Request.Restore.Filter, Progress = view };
            report = await backup.ExportArchiveAsync(context.ChooseVersion(backup), buffered, format, options, context.Environment.StopToken);
        }

        foreach (var issue in report.Issues.Where(issue => ExitCodes.IsLoss(issue) || !context.Request.Quiet))
        {
            context.Messages.WriteLine($"{IssueText.State(issue)}: {issue.Path}: {issue.Reason}");
        }

        if (!context.Request.Quiet)
        {
            var what = $"{Units.Count(report.Files, "file")}, {Units.Count(report.Folders, "folder")}, {Units.Count(report.Symlinks, "link")}";
            context.Messages.WriteLine($"Exported {what}, {Units.Bytes(report.Bytes)}, of version {report.Version.Index}");
        }

        return ExitCodes.OfLosses(report.Issues);
    }
}
