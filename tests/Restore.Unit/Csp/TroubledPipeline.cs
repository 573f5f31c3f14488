using System.Collections.Concurrent;
using Restore.Csp;

namespace Restore.Tests.Csp;

/// <summary>A pipeline in which something happens once, to one process, at one moment.</summary>
internal sealed class TroubledPipeline
{
    private readonly int messageCount;
    private readonly int troubledStage;
    private readonly ShutdownTests.Moment moment;
    private readonly Func<Task> troubleAsync;
    private readonly ProcessNetwork network = new(profiled: true);
    private int messagesSeen;
    private int running;
    private int troubled;

    public TroubledPipeline(
        int[] copies,
        int capacity,
        int messageCount,
        int troubledStage,
        ShutdownTests.Moment moment,
        Func<Task> troubleAsync
    )
    {
        this.messageCount = messageCount;
        this.troubledStage = troubledStage;
        this.moment = moment;
        this.troubleAsync = troubleAsync;

        Channel<Ledger.Message>[] between =
        [
            .. copies
                .Skip(1)
                .Select((_, stage) => network.CreateChannel<Ledger.Message>($"{stage} to {stage + 1}", capacity)),
        ];
        network.AddSource("stage 0", between[0], (output, _) => RunAsync(0, () => CreateAsync(output)));
        for (int i = 1; i < copies.Length - 1; i++)
        {
            int stage = i;
            network.AddStage(
                $"stage {stage}",
                copies[stage],
                between[stage - 1],
                between[stage],
                (input, output, _) => RunAsync(stage, () => ForEachAsync(stage, input, output.WriteAsync))
            );
        }

        int last = copies.Length - 1;
        network.AddSink(
            $"stage {last}",
            copies[last],
            between[last - 1],
            (input, _) => RunAsync(last, () => ForEachAsync(last, input, FinishAsync))
        );
    }

    public Ledger Ledger { get; } = new();

    public ConcurrentBag<int> Arrived { get; } = [];

    /// <summary>Process bodies that have begun and not ended.</summary>
    public int Running => Volatile.Read(ref running);

    public Task RunAsync(CancellationToken cancellationToken) => network.RunAsync(cancellationToken);

    private async Task RunAsync(int stage, Func<Task> bodyAsync)
    {
        Interlocked.Increment(ref running);
        try
        {
            await PassAsync(stage, ShutdownTests.Moment.Start);
            await bodyAsync();
            await PassAsync(stage, ShutdownTests.Moment.End);
        }
        finally
        {
            Interlocked.Decrement(ref running);
        }
    }

    private async Task CreateAsync(IWriteChannelEnd<Ledger.Message> output)
    {
        for (int number = 0; number < messageCount; number++)
        {
            await PassMessageAsync(0);
            await output.WriteAsync(Ledger.Create(number));
        }
    }

    private async Task ForEachAsync(
        int stage,
        IReadChannelEnd<Ledger.Message> input,
        Func<Ledger.Message, ValueTask> sendAsync
    )
    {
        await foreach (Ledger.Message message in input.ReadAllAsync())
        {
            try
            {
                await PassMessageAsync(stage);
            }
            catch
            {
                message.Dispose();
                throw;
            }

            await sendAsync(message);
        }
    }

    private ValueTask FinishAsync(Ledger.Message message)
    {
        Arrived.Add(message.Number);
        message.Dispose();
        return default;
    }

    private async Task PassMessageAsync(int stage)
    {
        if (stage == troubledStage && Interlocked.Increment(ref messagesSeen) == messageCount / 2)
        {
            await PassAsync(stage, ShutdownTests.Moment.Middle);
        }
    }

    private async Task PassAsync(int stage, ShutdownTests.Moment moment)
    {
        if (stage == troubledStage && moment == this.moment && Interlocked.Exchange(ref troubled, 1) == 0)
        {
            await troubleAsync();
        }
    }
}
