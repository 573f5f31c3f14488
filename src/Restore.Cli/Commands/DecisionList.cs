namespace Restore.Cli.Commands;

/// <summary>Keeps what is decided about each entry.</summary>
internal sealed class DecisionList(List<SourceDecision> decisions) : IProgress<SourceDecision>
{
    public void Report(SourceDecision value) => decisions.Add(value);
}
