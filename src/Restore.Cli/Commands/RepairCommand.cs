using Restore.Cli.Options;
using Restore.Cli.Options.Groups;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore repair</c>: index volumes that are missing, made anew.</summary>
internal sealed class RepairCommand(SharedOptions shared) : ICliCommand
{
    private readonly RepairOptions repair = new();

    public string Name => "repair";

    public string Summary => "make missing index volumes anew from block volumes";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options => [repair, shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples => ["restore repair /mnt/backup", "restore repair s3://bucket/folder --index-folder=/mnt/new-volumes"];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(async backup =>
    {
        var folder = repair.FolderOf(context.Line, context.Request.Storage);
        CheckReport report;
        await using (var view = context.OpenProgressView(verifyOnly: true))
        {
            report = await backup.RepairAsync(folder, view, context.Environment.StopToken);
        }

        return CheckText.Write(context, report);
    });
}
