namespace Restore.Cli.Commands;

internal sealed class DatabaseCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "database";

    public bool RunsLong => true;

    public string Summary => "rebuild Duplicati's local database";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options =>
        [new("Target", [shared.OutputFile]), shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples => ["restore database /mnt/backup --output=/home/ann/backup.sqlite"];

    public bool HasNoDryRun => true;

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context)
    {
        var file =
            context.Line.Value(shared.OutputFile)
            ?? throw new UsageException("Name the file of the new database with --output");
        OutputFile.Check("--output", file);
        if (context.Request.Backup.DatabasePath is not null)
        {
            throw new UsageException(
                "A database is made from the volumes alone: leave out --dbpath, and name the new one with --output"
            );
        }

        return context.WithBackupAsync(async backup =>
        {
            var report = await context.ShowAsync(
                view => backup.Maintenance.WriteDatabaseAsync(file, view, context.Environment.StopToken),
                verifyOnly: false
            );
            context.Write(
                () => LocalDatabase.JsonOf(report),
                output => LocalDatabase.Write(output, report, context.ReportSize)
            );
            return ExitCodes.OfLosses(report.Issues);
        });
    }
}
