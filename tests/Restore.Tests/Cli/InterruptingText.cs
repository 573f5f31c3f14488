using System.Text;

namespace Restore.Tests.Cli;

/// <summary>An output that interrupts the program once a line has a word.</summary>
internal sealed class InterruptingText(string word, CancellationTokenSource interruption) : TextWriter
{
    private readonly StringBuilder text = new();

    public override Encoding Encoding => Encoding.UTF8;

    public override void Write(char value) => text.Append(value);

    public override void WriteLine(string? value)
    {
        text.Append(value).Append('\n');
        if (value?.Contains(word, StringComparison.Ordinal) == true)
        {
            interruption.Cancel();
        }
    }

    public override string ToString() => text.ToString();
}
