using Restore.Cli.Options;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore check</c>: whether lists, index volumes and block volumes fit together.</summary>
internal sealed class CheckCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "check";

    public string Summary => "check that lists and volumes fit together, without reading blocks";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options => [shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples => ["restore check /mnt/backup", "restore check /mnt/backup --json"];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(async backup =>
    {
        CheckReport report;
        await using (var view = context.OpenProgressView(verifyOnly: true))
        {
            report = await backup.CheckAsync(view, context.Environment.StopToken);
        }

        return CheckText.Write(context, report);
    });
}
