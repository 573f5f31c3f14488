using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>Which bytes of a file.</summary>
internal sealed class RangeOptions : OptionGroup
{
    private readonly Option<long?> offset = Declare.Size("--offset", "b", "0b", "1000tb", "0", "First byte, counted from 0; 10mb is 10 MiB");

    private readonly Option<long?> count = Declare.Size("--count", "b", "0b", "1000tb", "all", "Most bytes");

    public override string Title => "Selection";

    public override IReadOnlyList<Option> Options => [offset, count];

    /// <summary>The range of a command line.</summary>
    public (long Offset, long Count) Of(CommandLine line) => (line.Value(offset) ?? 0, line.Value(count) ?? long.MaxValue);
}
