namespace Restore.Cli.Commands;

/// <summary>
/// A line that is redrawn in place, or one every few seconds where that cannot be done.
/// </summary>
internal sealed class BackupProgressView(CommandContext context) : IProgress<BackupWriterProgress>, IAsyncDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

    private readonly Lock gate = new();
    private readonly TerminalLine line = new(context.Environment);
    private long lastLine = context.Environment.Clock.GetTimestamp();

    public void Report(BackupWriterProgress value)
    {
        if (context.Request.Quiet)
        {
            return;
        }

        lock (gate)
        {
            if (context.Environment.CanDraw)
            {
                line.Draw(Describe(value));
            }
            else if (context.Environment.Clock.GetElapsedTime(lastLine) >= Interval)
            {
                lastLine = context.Environment.Clock.GetTimestamp();
                context.Messages.WriteLine(Describe(value));
            }
        }
    }

    public ValueTask DisposeAsync()
    {
        line.Clear();
        return ValueTask.CompletedTask;
    }

    private static string Describe(BackupWriterProgress value) =>
        $"{Units.Count(value.FilesDone, "file")} ({Units.Bytes(value.BytesDone)}), read {Units.Bytes(value.BytesRead)}, "
        + $"written {Units.Bytes(value.BytesWritten)} in {Units.Count(value.VolumesWritten, "volume")}, {Units.Duration(value.Elapsed)}";
}
