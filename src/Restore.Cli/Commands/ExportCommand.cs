using Restore.Interop;

namespace Restore.Cli.Commands;

internal sealed class ExportCommand(SharedOptions shared) : ICliCommand
{
    private const int BufferBytes = 1 << 20;

    private readonly Option<bool> tar = Declare.Flag(
        "--tar",
        "Write a tar archive (pax): with times, modes, owners, links and extended attributes"
    );

    private readonly Option<bool> zip = Declare.Flag(
        "--zip",
        "Write a zip archive: with times to the second, modes, numbers of owners, and links"
    );

    public string Name => "export";

    public bool RunsLong => true;

    public string Summary => "write files as a tar or zip archive";

    public IReadOnlyList<Operand> Operands =>
        [Operand.Storage, Operand.Filters with { Meaning = "what to put into the archive; without one, everything" }];

    public IReadOnlyList<OptionGroup> Options =>
        [
            new("Target", [tar, zip, shared.OutputFile]),
            shared.Version,
            shared.LastGood.Reading,
            shared.Filters,
            shared.Access,
            shared.Output,
            shared.Program,
        ];

    public IReadOnlyList<string> Examples =>
        [
            "restore export /mnt/backup /home/ann/photos/ --zip --output=/mnt/photos.zip",
            "restore export /mnt/backup --tar --version=1",
        ];

    public bool HasNoDryRun => true;

    public async Task<int> RunAsync(CommandContext context)
    {
        var (format, path) = (FormatOf(context.Line), context.Line.Value(shared.OutputFile));
        if (path is null && context.Environment.OutputIsTerminal)
        {
            throw new UsageException(
                "An archive is not written to a terminal: give --output=FILE, or send the output to a file or a program"
            );
        }

        try
        {
            return await context.WithBackupAsync(backup =>
                path is null ? PrintAsync(context, backup, format) : WriteFileAsync(context, backup, format, path)
            );
        }
        catch (OutputClosedException)
        {
            // The reader has what it wanted; like other programs, this one ends without a word.
            return ExitCodes.Failed;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw OutputFailure.Of(failure, "The archive", path);
        }
    }

    private static async Task<int> WriteFileAsync(
        CommandContext context,
        Backup backup,
        ArchiveFormat format,
        string path
    )
    {
        OutputFile.Check("--output", path);
        if (File.Exists(path))
        {
            throw new RestoreException(RestoreErrorCode.OutputExists, "The file exists already", path);
        }

        using AtomicFile file = new(path, AtomicFileOptions.Private);
        var code = await WriteAsync(context, backup, format, file.Stream);
        file.Commit();
        return code;
    }

    private static async Task<int> PrintAsync(CommandContext context, Backup backup, ArchiveFormat format)
    {
        await using var output = context.Environment.OpenOutput();
        return await WriteAsync(context, backup, format, output);
    }

    private static async Task<int> WriteAsync(
        CommandContext context,
        Backup backup,
        ArchiveFormat format,
        Stream output
    )
    {
        var buffered = new BufferedStream(output, BufferBytes);
        var version = context.ChooseVersion(backup);
        var versions = FilterOptions.VersionsOfNames(context, backup, version);
        var filter = await FilterOptions.SettleAsync(context, backup, versions, context.Request.Restore.Filter);
        var report = await context.ShowAsync(
            view =>
                backup.ExportArchiveAsync(
                    version,
                    buffered,
                    format,
                    new ExportOptions
                    {
                        Filter = filter,
                        Progress = view,
                        LastGood = context.Request.Run.LastGood,
                    },
                    context.Environment.StopToken
                ),
            verifyOnly: false
        );
        await buffered.FlushAsync();
        foreach (var issue in report.Issues.Where(issue => issue.IsLoss || !context.Request.Quiet))
        {
            context.Messages.WriteLine($"{ReportJson.StateOf(issue)}: {issue.Path}: {issue.Reason}");
        }

        if (!context.Request.Quiet)
        {
            var what =
                $"{Units.Count(report.Files, "file")}, {Units.Count(report.Folders, "folder")}, {Units.Count(report.Symlinks, "link")}";
            var from = context.Request.Run.LastGood is null
                ? $"of version {report.Version.Index}"
                : "as they were last good";
            context.Messages.WriteLine($"Exported {what}, {Units.Bytes(report.Bytes)}, {from}");
        }

        return ExitCodes.OfLosses(report.Issues);
    }

    /// <summary>The format that is named, or that the name of the file says.</summary>
    private ArchiveFormat FormatOf(CommandLine line) =>
        (line.Value(tar), line.Value(zip), Path.GetExtension(line.Value(shared.OutputFile))?.ToLowerInvariant()) switch
        {
            (true, false, _) or (false, false, ".tar") => ArchiveFormat.Tar,
            (false, true, _) or (false, false, ".zip") => ArchiveFormat.Zip,
            _ => throw new UsageException(
                "Name the format of the archive: --tar or --zip, or a file that ends with .tar or .zip (--output)"
            ),
        };
}
