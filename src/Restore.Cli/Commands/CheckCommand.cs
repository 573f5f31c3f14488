namespace Restore.Cli.Commands;

internal sealed class CheckCommand(SharedOptions shared) : ICliCommand
{
    private readonly Option<bool> readVolumes = Declare.Flag(
        "--read-volumes",
        "Also read all block volumes, and verify their bytes by the hashes in index volumes and by their encryption"
    );

    public string Name => "check";

    public bool RunsLong => true;

    public string Summary => "check that lists and volumes fit together, without reading blocks";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options =>
        [new("Keeping", [readVolumes]), shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples => ["restore check /mnt/backup", "restore check /mnt/backup --read-volumes"];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context) =>
        context.WithBackupAsync(async backup =>
        {
            var stop = context.Environment.StopToken;
            var reads = context.Line.Value(readVolumes);
            var report = await context.ShowAsync(view =>
                reads ? backup.Maintenance.CheckVolumesAsync(view, stop) : backup.Maintenance.CheckAsync(view, stop)
            );
            return CheckText.Write(
                context,
                report,
                reads
                    ? "lists and volumes fit together, and each volume could be read as a whole"
                    : CheckText.ContentsUnread
            );
        });
}
