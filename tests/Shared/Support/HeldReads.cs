namespace Restore.Tests.Support;

/// <summary>
/// Holds reads of the chosen files until as many of them wait as the test expects. A store calls
/// <see cref="HoldAsync"/> before a read.
/// </summary>
internal sealed class HeldReads(Func<string, bool> isHeld, int until)
{
    private readonly TaskCompletionSource enough = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Lock gate = new();
    private int waiting;

    /// <summary>The most held reads that waited at the same time.</summary>
    public int MostWaiting { get; private set; }

    public async ValueTask HoldAsync(string name, CancellationToken cancellationToken)
    {
        if (!isHeld(name))
        {
            return;
        }

        lock (gate)
        {
            if (!enough.Task.IsCompleted)
            {
                MostWaiting = Math.Max(MostWaiting, ++waiting);
                if (waiting == until)
                {
                    enough.SetResult();
                }
            }
        }

        await enough.Task.WaitAsync(TimeSpan.FromSeconds(30), cancellationToken);
    }
}
