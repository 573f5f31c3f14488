namespace Restore.Cli;

internal static class TerminalInput
{
    private const char EndOfInput = '\x04';

    /// <summary>Reads a line without showing it; null if it is empty.</summary>
    public static string? AskSecret(TextWriter output, string prompt, Action interrupt) =>
        Ask(output, prompt, interrupt, _ => { }) is { Length: > 0 } line ? line : null;

    public static string Ask(TextWriter output, string prompt, Action interrupt) =>
        Ask(output, prompt, interrupt, Console.Error.Write);

    private static string Ask(TextWriter output, string prompt, Action interrupt, Action<string> show)
    {
        try
        {
            return AskOnce(output, prompt, interrupt, show);
        }
        catch (Exception failure)
            when (failure is IOException or InvalidOperationException or UnauthorizedAccessException)
        {
            // The terminal was closed: no answer will come.
            interrupt();
            throw new OperationCanceledException("The terminal was closed", failure);
        }
    }

    private static string AskOnce(TextWriter output, string prompt, Action interrupt, Action<string> show)
    {
        // What is being asked about may be on its way to the same terminal.
        output.Flush();

        // Ctrl-C must arrive as a key: a signal would not wake the read below.
        var before = Console.TreatControlCAsInput;
        Console.TreatControlCAsInput = true;
        try
        {
            Console.Error.Write(prompt);
            return ReadLine(interrupt, show);
        }
        finally
        {
            Console.Error.WriteLine();
            Console.TreatControlCAsInput = before;
        }
    }

    private static string ReadLine(Action interrupt, Action<string> show)
    {
        var line = new StringBuilder();
        while (true)
        {
            var key = Console.ReadKey(intercept: true);
            switch (key)
            {
                case { KeyChar: '\0', Key: 0 }:
                    // .NET returns this without a key: the end of the input.
                    throw new IOException("The input has ended");
                case { Key: ConsoleKey.C, Modifiers: ConsoleModifiers.Control }:
                case { KeyChar: EndOfInput } when line.Length == 0:
                    interrupt();
                    throw new OperationCanceledException();
                case { Key: ConsoleKey.Enter }:
                    return line.ToString();
                case { Key: ConsoleKey.Backspace } when line.Length > 0:
                    line.Length--;
                    show("\b \b");
                    break;
                case { KeyChar: >= ' ' and not '\x7f' }:
                    line.Append(key.KeyChar);
                    show(key.KeyChar.ToString());
                    break;
            }
        }
    }
}
