using Restore.Cli.Options;
using Restore.Cli.Options.Groups;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore database</c>: Duplicati's local database, made anew.</summary>
internal sealed class DatabaseCommand(SharedOptions shared) : ICliCommand
{
    private readonly DatabaseOptions database = new(shared.OutputFile);

    public string Name => "database";

    public string Summary => "make Duplicati's local database anew";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options => [database, shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples => ["restore database /mnt/backup --output=/home/ann/backup.sqlite"];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context)
    {
        var file = database.FileOf(context.Line);
        if (context.Request.Backup.DatabasePath is not null)
        {
            throw new UsageException("A database is made from the volumes alone: leave out --dbpath, and name the new one with --output");
        }

        return context.WithBackupAsync(async backup =>
        {
            DatabaseReport report;
            await using (var view = context.OpenProgressView(verifyOnly: false))
            {
                report = await backup.WriteDatabaseAsync(file, view, context.Environment.StopToken);
            }

            if (context.Request.Json)
            {
                Json.Write(context.Output, json => DatabaseText.Write(json, report));
            }
            else
            {
                DatabaseText.Write(context.Output, report, context.Request.Verbose);
            }

            return ExitCodes.OfLosses(report.Issues);
        });
    }
}
