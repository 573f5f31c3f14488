using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore versions</c>: the versions of a backup, newest first.</summary>
internal static class VersionsCommand
{
    public static Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(backup =>
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
