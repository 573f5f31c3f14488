using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>Where a repair writes to.</summary>
internal sealed class RepairOptions : OptionGroup
{
    private readonly Option<string?> folder = Declare.Text(
        "--index-folder", "FOLDER", "that of the backup", "Write new index volumes to this folder or storage URL instead");

    public override string Title => "Target";

    public override IReadOnlyList<Option> Options => [folder];

    /// <summary>Where the new volumes go.</summary>
    public string FolderOf(CommandLine line, string storage) => line.Value(folder) is { Length: > 0 } given ? given : storage;
}
