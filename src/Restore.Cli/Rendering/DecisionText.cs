namespace Restore.Cli.Rendering;

/// <summary>
/// Lists what a backup takes (+) and leaves out (-), with the filter or rule that decides, while
/// the sources are looked at.
/// </summary>
internal sealed class DecisionText(TextWriter output, bool isJson) : IProgress<SourceDecision>
{
    public void Report(SourceDecision value)
    {
        if (isJson)
        {
            Json.Write(output, JsonOf(value));
            return;
        }

        var size = value.Path.EndsWith('/') || value.Path.EndsWith('\\') ? "" : $"  ({Units.Bytes(value.SizeBytes)})";
        var why = value.Reason is { } reason ? ": " + SafeText.Escape(reason) : "";
        output.WriteWhole($"{(value.IsTaken ? '+' : '-')} {SafeText.Escape(value.Path)}{size}{why}");
    }

    public static JsonObject JsonOf(SourceDecision decision) =>
        new()
        {
            ["path"] = decision.Path,
            ["taken"] = decision.IsTaken,
            ["sizeBytes"] = decision.SizeBytes,
            ["reason"] = decision.Reason,
        };
}
