using Restore.Cli.Options;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore versions</c>: the versions of a backup, newest first.</summary>
internal sealed class VersionsCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "versions";

    public string Summary => "list the versions, newest first";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options => [shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples => ["restore versions /mnt/backup"];

    public Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(backup =>
    {
        if (context.Request.Json)
        {
            Json.Write(context.Output, json => Json.Versions(json, backup.Versions));
        }
        else
        {
            foreach (var version in backup.Versions)
            {
                context.Output.WriteLine($"{version.Index,4}  {Units.Time(version.Time, context.Environment.Clock)}  {SafeText.Escape(version.FileListName)}");
            }
        }

        return Task.FromResult(ExitCodes.Complete);
    });
}
