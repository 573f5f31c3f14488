using System.Reflection;

namespace Restore.Cli.Commands;

/// <summary>The file <c>restore.html</c> that this program carries.</summary>
internal sealed class Restorer(ReadOnlyMemory<byte> content)
{
    public const string FileName = "restore.html";

    /// <exception cref="CommandException">This program carries none.</exception>
    public static Restorer Of(CliEnvironment environment)
    {
        using var resource =
            environment.OpenRestorer()
            ?? throw new CommandException(
                ExitCodes.Failed,
                $"This program was built without {FileName}",
                $"The program of a release carries it, and a release has the file itself. 'bash deploy/make-restore-html {FileName}' makes it from the source: "
                    + "copy it beside the volumes"
            );
        var bytes = new byte[resource.Length];
        resource.ReadExactly(bytes);
        return new Restorer(bytes);
    }

    /// <summary>The resource of this program; null if it has none.</summary>
    public static Stream? OpenResource() => Assembly.GetExecutingAssembly().GetManifestResourceStream(FileName);

    public Task<CompanionFileState> PutAsync(CommandContext context, string location, BackupOptions options) =>
        CompanionFile.PutAsync(
            location,
            FileName,
            content,
            options with
            {
                LoggerFactory = new OneLoggerFactory(context.Logger),
            },
            context.Request.DryRun,
            context.Environment.StopToken
        );

    public static string WordOf(CompanionFileState state) => state.ToString().ToLowerInvariant();

    public static string Describe(CompanionFileState state, bool isDryRun = false) =>
        state switch
        {
            CompanionFileState.Written when isDryRun =>
                $"{FileName} would be put beside the backup: it restores in a browser",
            CompanionFileState.Replaced when isDryRun =>
                $"{FileName} beside the backup is another one, and would be replaced",
            CompanionFileState.Written => $"{FileName} is beside the backup now: it restores in a browser",
            CompanionFileState.Replaced => $"{FileName} beside the backup was another one, and is replaced",
            _ => $"{FileName} is beside the backup already",
        };
}
