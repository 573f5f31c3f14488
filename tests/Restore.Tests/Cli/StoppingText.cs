namespace Restore.Tests.Cli;

/// <summary>Stops the program when it has written a word.</summary>
internal sealed class StoppingText(string word, CancellationTokenSource stop) : StringWriter
{
    public override void WriteLine(string? value)
    {
        base.WriteLine(value);
        if (value?.Contains(word, StringComparison.Ordinal) == true)
        {
            stop.Cancel();
        }
    }
}
