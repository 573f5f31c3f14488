using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>How many shards a plan has.</summary>
internal sealed class ShardCountOptions(Option<int?> shards) : OptionGroup
{
    public override string Title => "Shards";

    public override IReadOnlyList<Option> Options => [shards];

    public int? Of(CommandLine line) => line.Value(shards);
}
