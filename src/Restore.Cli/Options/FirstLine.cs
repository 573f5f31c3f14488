namespace Restore.Cli.Options;

/// <summary>
/// The first line that a program prints. The rest is read too, up to a limit, so that the program
/// can end; its output may stay open longer than the program runs, because a process that it left
/// in the background has it.
/// </summary>
internal sealed class FirstLine
{
    public const int MostCharacters = 1 << 20;

    // What a program printed before it ended is in the pipe.
    private static readonly TimeSpan RestWait = TimeSpan.FromSeconds(1);

    private readonly Lock gate = new();
    private readonly StringBuilder line = new();
    private readonly TaskCompletionSource isKnown = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile bool isComplete;
    private volatile bool isTooLong;

    public FirstLine(StreamReader output) =>
        new Thread(() => Read(output)) { IsBackground = true, Name = "Output of a command" }.Start();

    /// <summary>Whether the end of the line has been read.</summary>
    public bool IsComplete => isComplete;

    public bool IsTooLong => isTooLong;

    /// <summary>
    /// The line of a program that has ended; all that it printed if that is less than a line.
    /// </summary>
    public string Take()
    {
        ((IAsyncResult)isKnown.Task).AsyncWaitHandle.WaitOne(RestWait);
        lock (gate)
        {
            return line.ToString().TrimEnd('\r');
        }
    }

    private void Read(StreamReader output)
    {
        try
        {
            var part = new char[1 << 12];
            long total = 0;
            while (output.Read(part) is > 0 and var length)
            {
                Add(part.AsSpan(0, length));
                total += length;
                if (total > MostCharacters)
                {
                    isTooLong = true;
                    break;
                }
            }
        }
        catch (Exception failure) when (failure is IOException or ObjectDisposedException)
        {
            // The program was ended.
        }

        isKnown.TrySetResult();
    }

    private void Add(ReadOnlySpan<char> text)
    {
        if (isComplete)
        {
            return;
        }

        var end = text.IndexOf('\n');
        lock (gate)
        {
            line.Append(end < 0 ? text : text[..end]);
        }

        if (end >= 0)
        {
            isComplete = true;
            isKnown.TrySetResult();
        }
    }
}
