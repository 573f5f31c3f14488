namespace Restore.Cli.Rendering;

/// <summary>Progress as lines of JSON on the standard output, with restic's names: a status each second, and items if asked for.</summary>
/// <param name="output">Where the lines go.</param>
/// <param name="clock">The clock.</param>
internal sealed class JsonProgressView(TextWriter output, TimeProvider clock) : IProgressView, IProgress<EntryResult>
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    private readonly Lock gate = new();
    private readonly RateMeter rate = new();
    private readonly long start = clock.GetTimestamp();
    private long lastLine = clock.GetTimestamp();

    public void Report(RestoreProgress value)
    {
        lock (gate)
        {
            rate.Observe(value);
            if (clock.GetElapsedTime(lastLine) < Interval)
            {
                return;
            }

            lastLine = clock.GetTimestamp();
            Json.Write(output, json => JsonProgress.Status(json, value, rate, clock.GetElapsedTime(start)));
            output.Flush();
        }
    }

    public void Report(EntryResult value)
    {
        lock (gate)
        {
            Json.Write(output, json => JsonProgress.Item(json, value));
        }
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
