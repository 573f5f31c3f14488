using Restore.Interop;

namespace Restore.Cli.Commands;

/// <summary>
/// What a program of the user's prints: lines that begin with LOG:, and its errors, are messages.
/// Of each stream 64 KiB count.
/// </summary>
internal sealed class ScriptOutput(CommandContext context, string program)
{
    private const int MaxChars = 64 << 10;

    private static readonly string[] Levels = ["LOG:WARN", "LOG:ERROR", "LOG:INFO"];

    // A child that goes on in the background can keep the streams open.
    private static readonly TimeSpan PatienceForOutput = TimeSpan.FromSeconds(5);

    /// <returns>The exit code; null if the program did not end in time, and was ended.</returns>
    public async Task<int?> ReadAsync(ChildProcess process, TimeSpan limit, bool isBefore)
    {
        process.Input.Close();
        var output = new StringBuilder();
        var errors = new StringBuilder();
        var reading = Task.WhenAll(ReadAsync(process.Output, output), ReadAsync(process.Errors, errors));
        using var stopping = CancellationTokenSource.CreateLinkedTokenSource(Interrupting(isBefore));
        using var timer = context.Environment.Clock.CreateTimer(
            _ => stopping.Cancel(),
            null,
            limit,
            Timeout.InfiniteTimeSpan
        );
        int? code;
        try
        {
            code = await process.ExitCodeAsync(stopping.Token);
        }
        catch (OperationCanceledException)
        {
            process.Kill();
            Interrupting(isBefore).ThrowIfCancellationRequested();
            context.Messages.WriteLine(
                $"Warning: {program} did not end within {limit.TotalSeconds:N0} s, and was ended"
            );
            return null;
        }

        // The reads may continue after that, so the texts are used under their locks.
        await Task.WhenAny(reading, Task.Delay(PatienceForOutput, context.Environment.Clock));
        Write(LinesOf(output), LinesOf(errors), isBefore);
        return code;
    }

    /// <summary>
    /// The first interruption ends the operation gracefully, and the program afterwards learns of
    /// its result; only the second one ends that program, too.
    /// </summary>
    private CancellationToken Interrupting(bool isBefore) =>
        isBefore ? context.Environment.StopToken : context.Environment.CancellationToken;

    private void Write(IEnumerable<string> lines, IEnumerable<string> errors, bool isBefore)
    {
        foreach (var line in lines)
        {
            if (isBefore && line.StartsWith("--", StringComparison.Ordinal))
            {
                throw new CommandException(
                    ExitCodes.Failed,
                    $"{program} printed '{SafeText.Escape(line.Split('=')[0])}', which changes options in Duplicati and not here, so nothing was done",
                    "Give the option on the command line, or let the program print nothing that begins with --"
                );
            }

            if (Levels.FirstOrDefault(level => line.StartsWith(level, StringComparison.Ordinal)) is { } level)
            {
                Message(line[level.Length..].Trim());
            }
        }

        foreach (var line in errors)
        {
            Message(line);
        }
    }

    private void Message(string line) =>
        context.Messages.WriteLine($"{Path.GetFileName(program)}: {SafeText.Escape(line.TrimEnd('.', ' '))}");

    private static string[] LinesOf(StringBuilder text)
    {
        lock (text)
        {
            return text.ToString()
                .Split(['\n', '\r'], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        }
    }

    /// <summary>
    /// Reads to the end, so that the program does not wait for a reader, and keeps the start.
    /// </summary>
    private static async Task ReadAsync(StreamReader reader, StringBuilder text)
    {
        var part = new char[4096];
        try
        {
            while (await reader.ReadAsync(part) is > 0 and var count)
            {
                lock (text)
                {
                    text.Append(part, 0, Math.Min(count, MaxChars - text.Length));
                }
            }
        }
        catch (Exception failure) when (failure is IOException or ObjectDisposedException)
        {
            // The program was ended.
        }
    }
}
