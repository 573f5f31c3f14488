using Restore.Cli.Options;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore affected</c>: which files in which versions hang on volumes.</summary>
internal sealed class AffectedCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "affected";

    public string Summary => "show which files in which versions are lost without some volumes";

    public IReadOnlyList<Operand> Operands =>
        [Operand.Storage, new Operand("<volume> ...", "names of block volumes, index volumes and file lists, with or without a path")];

    public IReadOnlyList<OptionGroup> Options => [shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples =>
    [
        "restore affected /mnt/backup duplicati-b<32 digits>.dblock.zip.aes",
        "restore affected /mnt/backup /mnt/backup/duplicati-20260101T120000Z.dlist.zip.aes --json",
    ];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(async backup =>
    {
        if (context.Request.Operands.Count == 0)
        {
            throw new UsageException("Name the volumes: files of the backup whose names have dblock, dindex or dlist");
        }

        AffectedReport report;
        await using (var view = context.OpenProgressView(verifyOnly: true))
        {
            report = await backup.FindAffectedAsync(context.Request.Operands, view, context.Environment.StopToken);
        }

        return AffectedText.Write(context, report);
    });
}
