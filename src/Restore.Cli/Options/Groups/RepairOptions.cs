using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>Where a repair writes to.</summary>
internal sealed class RepairOptions : OptionGroup
{
    private readonly Option<string?> folder = Declare.Text(
        "--index-folder", "FOLDER", "the backup's, if it is on this machine", "Write new index volumes to this folder, to upload them from there");

    public override string Title => "Target";

    public override IReadOnlyList<Option> Options => [folder];

    /// <summary>The folder for a backup.</summary>
    /// <exception cref="UsageException">It is not named, and the backup is not on this machine.</exception>
    public string FolderOf(CommandLine line, Backup backup) => line.Value(folder) is { Length: > 0 } given ? given
        : Directory.Exists(backup.Location) ? backup.Location
        : throw new UsageException("The backup is on a server: name a folder for the new index volumes with --index-folder, and upload them from there");
}
