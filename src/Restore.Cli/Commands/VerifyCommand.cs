namespace Restore.Cli.Commands;

/// <summary><c>restore verify</c>: a drill, everything a restore does but writing.</summary>
internal static class VerifyCommand
{
    public static Task<int> RunAsync(CommandContext context)
    {
        var request = context.Request;
        return RestoreCommand.RunAsync(context with { Request = request with { Restore = request.Restore with { VerifyOnly = true } } });
    }
}
