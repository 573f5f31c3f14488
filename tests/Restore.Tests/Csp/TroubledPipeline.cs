using System.Collections.Concurrent;
using Restore.Csp;

namespace Restore.Tests.Csp;

/// <summary>A pipeline in which something happens once, to one process, at one moment.</summary>
internal sealed class TroubledPipeline
{
    private readonly int _messageCount;
    private readonly int _troubledStage;
    private readonly ShutdownTests.Moment _moment;
    private readonly Func<Task> _troubleAsync;
    private readonly ProcessNetwork _network = new(profiled: true);
    private int _messagesSeen;
    private int _running;
    private int _troubled;

    public TroubledPipeline(int[] copies, int capacity, int messageCount, int troubledStage, ShutdownTests.Moment moment, Func<Task> troubleAsync)
    {
        _messageCount = messageCount;
        _troubledStage = troubledStage;
        _moment = moment;
        _troubleAsync = troubleAsync;

        Channel<Ledger.Message>[] between =
            [.. copies.Skip(1).Select((_, stage) => _network.CreateChannel<Ledger.Message>($"{stage} to {stage + 1}", capacity))];
        _network.AddSource("stage 0", between[0], (output, _) => RunAsync(0, () => CreateAsync(output)));
        for (int i = 1; i < copies.Length - 1; i++)
        {
            int stage = i;
            _network.AddStage($"stage {stage}", copies[stage], between[stage - 1], between[stage],
                (input, output, _) => RunAsync(stage, () => ForEachAsync(stage, input, output.WriteAsync)));
        }

        int last = copies.Length - 1;
        _network.AddSink($"stage {last}", copies[last], between[last - 1], (input, _) => RunAsync(last, () => ForEachAsync(last, input, FinishAsync)));
    }

    public Ledger Ledger { get; } = new();

    public ConcurrentBag<int> Arrived { get; } = [];

    /// <summary>Process bodies that have begun and not ended.</summary>
    public int Running => Volatile.Read(ref _running);

    public Task RunAsync(CancellationToken cancellationToken) => _network.RunAsync(cancellationToken);

    private async Task RunAsync(int stage, Func<Task> bodyAsync)
    {
        Interlocked.Increment(ref _running);
        try
        {
            await PassAsync(stage, ShutdownTests.Moment.Start);
            await bodyAsync();
            await PassAsync(stage, ShutdownTests.Moment.End);
        }
        finally
        {
            Interlocked.Decrement(ref _running);
        }
    }

    private async Task CreateAsync(IWriteChannelEnd<Ledger.Message> output)
    {
        for (int number = 0; number < _messageCount; number++)
        {
            await PassMessageAsync(0);
            await output.WriteAsync(Ledger.Create(number));
        }
    }

    private async Task ForEachAsync(int stage, IReadChannelEnd<Ledger.Message> input, Func<Ledger.Message, ValueTask> sendAsync)
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
        if (stage == _troubledStage && Interlocked.Increment(ref _messagesSeen) == _messageCount / 2)
        {
            await PassAsync(stage, ShutdownTests.Moment.Middle);
        }
    }

    private async Task PassAsync(int stage, ShutdownTests.Moment moment)
    {
        if (stage == _troubledStage && moment == _moment && Interlocked.Exchange(ref _troubled, 1) == 0)
        {
            await _troubleAsync();
        }
    }
}
