using System.Text;

namespace Restore.Cli;

/// <summary>Reads a line from the terminal without showing it.</summary>
internal static class SecretInput
{
    /// <returns>The line, or null if it is empty.</returns>
    /// <exception cref="OperationCanceledException">Ctrl-C was pressed.</exception>
    public static string? Ask(string prompt, Action interrupt)
    {
        // Ctrl-C must arrive as a key: a signal would not wake the read below.
        var before = Console.TreatControlCAsInput;
        Console.TreatControlCAsInput = true;
        try
        {
            Console.Error.Write(prompt);
            var line = ReadLine(interrupt);
            return line.Length == 0 ? null : line;
        }
        finally
        {
            Console.Error.WriteLine();
            Console.TreatControlCAsInput = before;
        }
    }

    private static string ReadLine(Action interrupt)
    {
        var line = new StringBuilder();
        while (true)
        {
            var key = Console.ReadKey(intercept: true);
            switch (key)
            {
                case { Key: ConsoleKey.C, Modifiers: ConsoleModifiers.Control }:
                    interrupt();
                    throw new OperationCanceledException();
                case { Key: ConsoleKey.Enter }:
                    return line.ToString();
                case { Key: ConsoleKey.Backspace } when line.Length > 0:
                    line.Length--;
                    break;
                case { KeyChar: >= ' ' and not '\x7f' }:
                    line.Append(key.KeyChar);
                    break;
            }
        }
    }
}
