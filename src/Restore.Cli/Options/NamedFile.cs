namespace Restore.Cli.Options;

/// <summary>
/// The content of a file that an option names. It has a limit: a device or a wrong file would fill
/// the memory, and a pipe that no program writes into would make the run wait without an end.
/// </summary>
internal static class NamedFile
{
    /// <summary>Hundreds of thousands of paths.</summary>
    private const int MostListCharacters = 64 << 20;

    /// <summary>
    /// The overhead of a line. Without it, the number of empty lines would have no limit.
    /// </summary>
    private const int CharactersOfLine = 16;

    /// <summary>
    /// Longer than any path and any sensible expression. A device such as /dev/zero has no lines.
    /// </summary>
    private const int LongestLine = 1 << 20;

    private static readonly TimeSpan WriterWait = TimeSpan.FromSeconds(5);

    /// <summary>The whole text of a file.</summary>
    /// <param name="input">The stream for the name -; null if - is an ordinary file name.</param>
    public static string Text(string option, string file, int mostCharacters, TextReader? input = null) =>
        Read(
            option,
            file,
            () =>
            {
                using var opened = input is not null && file == "-" ? null : Open(file);
                var reader = opened ?? input!;
                var text = new StringBuilder();
                var part = new char[1 << 14];
                while (reader.Read(part) is > 0 and var length)
                {
                    text.Append(part, 0, length);
                    if (text.Length > mostCharacters)
                    {
                        throw new IOException($"it is longer than {mostCharacters >> 20} MiB");
                    }
                }

                return text.ToString();
            }
        );

    /// <summary>The lines of a list.</summary>
    public static IReadOnlyList<string> Lines(string option, string file) =>
        Read(
            option,
            file,
            () =>
            {
                using var opened = Open(file);
                List<string> lines = [];
                var left = MostListCharacters;
                while (ReadLine(opened) is { } line)
                {
                    lines.Add(line);
                    left -= line.Length + CharactersOfLine;
                    if (left < 0)
                    {
                        throw new IOException(
                            $"it is longer than {MostListCharacters >> 20} MiB, or has more than {MostListCharacters / CharactersOfLine} lines"
                        );
                    }
                }

                return lines;
            }
        );

    private static T Read<T>(string option, string file, Func<T> read)
    {
        try
        {
            return file.Length > 0 ? read() : throw new UsageException($"{option}: the value is empty");
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new UsageException($"{option}: {file} cannot be read ({failure.Message})");
        }
    }

    /// <summary>
    /// Opens a file. If it is a pipe, the system waits until a program writes into it, and nothing
    /// ends that wait.
    /// </summary>
    private static StreamReader Open(string file)
    {
        StreamReader? opened = null;
        Exception? failure = null;
        var gate = new Lock();
        var isLeft = false;
        using var isDone = new ManualResetEventSlim();
        new Thread(() =>
        {
            StreamReader? found = null;
            Exception? reason = null;
            try
            {
                found = new StreamReader(file);
            }
            catch (Exception caught)
            {
                reason = caught;
            }

            lock (gate)
            {
                if (isLeft)
                {
                    found?.Dispose();
                    return;
                }

                (opened, failure) = (found, reason);
                isDone.Set();
            }
        })
        {
            IsBackground = true,
            Name = "A file that an option names",
        }.Start();

        // The thread is left behind if the wait ends: the system cannot cancel the call. The side
        // that comes second disposes the file.
        isDone.Wait(WriterWait);
        lock (gate)
        {
            isLeft = true;
        }

        return opened ?? throw failure ?? new IOException("it is a pipe that no program writes into");
    }

    /// <summary>Null at the end. .NET's own reader has no limit but the memory.</summary>
    private static string? ReadLine(StreamReader reader)
    {
        var line = new StringBuilder();
        var isEnd = true;
        while (reader.Read() is >= 0 and var sign)
        {
            isEnd = false;
            if (sign == '\n')
            {
                break;
            }

            if (sign == '\r')
            {
                if (reader.Peek() == '\n')
                {
                    reader.Read();
                }

                break;
            }

            line.Append((char)sign);
            if (line.Length > LongestLine)
            {
                throw new IOException($"it has a line of more than {LongestLine >> 20} MiB");
            }
        }

        return isEnd ? null : line.ToString();
    }
}
