using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>How to mount.</summary>
internal sealed class MountOptions : OptionGroup
{
    private readonly Option<bool> allowOther = Declare.Flag(
        "--allow-other", "Let other users see the mount too, as far as owner and mode of each entry in the backup let them");

    private readonly Option<long?> blockCache = Declare.Size(
        "--block-cache", "mb", "1mb", "64tb", "128mb", "Bytes of blocks kept in memory for all open files, at most an eighth of the memory");

    public override string Title => "Mount";

    public override IReadOnlyList<Option> Options => [allowOther, blockCache];

    public bool AllowsOther(CommandLine line) => line.Value(allowOther);

    /// <summary>Null for the default.</summary>
    public long? BlockCacheBytes(CommandLine line) => line.Value(blockCache);
}
