using System.CommandLine;
using Restore.Cli.Commands;

namespace Restore.Cli.Options.Groups;

/// <summary>How long to wait for what other machines make.</summary>
internal sealed class WaitOptions : OptionGroup
{
    private readonly Option<int?> wait = Declare.Count(
        "--wait", 0, 100_000, "0", "Wait so many minutes until the plan is there, and the last step until all shards are restored");

    public override string Title => "Waiting";

    public override IReadOnlyList<Option> Options => [wait];

    public WaitForOthers Of(CommandContext context) => new(context, TimeSpan.FromMinutes(context.Line.Value(wait) ?? 0));
}
