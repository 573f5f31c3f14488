using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>What a repair does, and where it writes to.</summary>
internal sealed class RepairOptions : OptionGroup
{
    private readonly Option<string?> folder = Declare.Text(
        "--index-folder", "FOLDER", "that of the backup", "Write new index volumes to this folder or storage URL instead");

    private readonly Option<bool> purge = Declare.Flag(
        "--purge-broken-files",
        "Instead of making index volumes: leave entries whose blocks are in no volume out of the file lists, after a plan and a question");

    public override string Title => "Keeping";

    public override IReadOnlyList<Option> Options => [folder, purge];

    /// <summary>Whether lists are purged.</summary>
    public bool Purges(CommandLine line) => line.Value(purge) && (line.Value(folder) is null
        ? true
        : throw new UsageException("--purge-broken-files makes no index volumes: leave out --index-folder"));

    /// <summary>Where the new volumes go.</summary>
    public string FolderOf(CommandLine line, string storage) => line.Value(folder) is { Length: > 0 } given ? given : storage;
}
