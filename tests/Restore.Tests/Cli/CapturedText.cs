using System.Text;

namespace Restore.Tests.Cli;

/// <summary>A stream of text that may be read while others write it.</summary>
internal sealed class CapturedText : TextWriter
{
    private readonly StringBuilder text = new();

    public CapturedText() => CoreNewLine = ['\n'];

    public override Encoding Encoding => Encoding.UTF8;

    public override void Write(char value)
    {
        lock (text)
        {
            text.Append(value);
        }
    }

    public override void Write(string? value)
    {
        lock (text)
        {
            text.Append(value);
        }
    }

    public override void WriteLine(string? value) => Write(value + "\n");

    public override string ToString()
    {
        lock (text)
        {
            return text.ToString();
        }
    }
}
