namespace Restore.Cli.Commands;

internal sealed class RestorerCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "restorer";

    public string Summary => "put restore.html beside the backup, which restores in a browser";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options => [shared.DryRunAlone, shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples => ["restore restorer /mnt/backup", "restore restorer sftp://host/folder"];

    public async Task<int> RunAsync(CommandContext context)
    {
        var state = await Restorer
            .Of(context.Environment)
            .PutAsync(context, context.Request.Storage, context.Request.Backup);
        context.Write(
            () => new JsonObject { ["file"] = Restorer.FileName, ["state"] = Restorer.WordOf(state) },
            output => output.WriteLine(Restorer.Describe(state, context.Request.DryRun))
        );
        return ExitCodes.Complete;
    }
}
