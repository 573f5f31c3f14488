using FsCheck;
using FsCheck.Fluent;
using Restore.Csp;

namespace Restore.Tests.Csp;

/// <summary>
/// Any number of writers and readers, some of which leave early, and poison at any time: what must
/// hold always.
/// </summary>
public sealed class ChannelProperties
{
    private static readonly Gen<Traffic> EverybodyStays =
        from capacity in Gen.Choose(1, 8)
        from messages in Gen.Choose(0, 60).NonEmptyListOf()
        from readers in Gen.Choose(1, 5)
        select new Traffic(
            capacity,
            [.. messages.Take(5)],
            [.. Enumerable.Repeat(int.MaxValue, readers)],
            int.MaxValue
        );

    private static readonly Gen<Traffic> ReadersLeave =
        from traffic in EverybodyStays
        from leaveAfter in Gen.Choose(0, 40).ArrayOf(traffic.ReaderLeavesAfter.Length)
        select traffic with
        {
            ReaderLeavesAfter = leaveAfter,
        };

    private static readonly Gen<Traffic> Poison =
        from traffic in Gen.OneOf(EverybodyStays, ReadersLeave)
        from after in Gen.Choose(0, 80)
        select traffic with
        {
            PoisonAfter = after,
        };

    [Fact]
    public void Every_message_arrives_once_and_in_the_order_of_its_writer() =>
        Check(
            EverybodyStays,
            async traffic =>
            {
                Outcome outcome = await RunAsync(traffic);
                Assert.Equal(traffic.MessagesOfWriter.Sum(), outcome.Read.Sum(list => list.Count));
                Assert.Equal(0, outcome.Reported);
            }
        );

    [Fact]
    public void Readers_may_leave_at_any_time() =>
        Check(
            ReadersLeave,
            async traffic =>
            {
                Outcome outcome = await RunAsync(traffic);
                Assert.All(
                    outcome.Read,
                    (list, reader) => Assert.InRange(list.Count, 0, traffic.ReaderLeavesAfter[reader])
                );
            }
        );

    [Fact]
    public void Poison_may_come_at_any_time() => Check(Poison, RunAsync);

    private static void Check(Gen<Traffic> traffic, Func<Traffic, Task> holdsAsync) =>
        FsCheck.Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(150),
            Prop.ForAll(traffic.ToArbitrary(), (Traffic one) => Task.Run(() => holdsAsync(one)))
        );

    private static async Task<Outcome> RunAsync(Traffic traffic)
    {
        Ledger ledger = new();
        Channel<Ledger.Message> channel = new("messages", traffic.Capacity);
        List<IReadChannelEnd<Ledger.Message>> readers = [.. traffic.ReaderLeavesAfter.Select(_ => channel.Reader())];
        List<IWriteChannelEnd<Ledger.Message>> writers = [.. traffic.MessagesOfWriter.Select(_ => channel.Writer())];
        Outcome outcome = new([.. readers.Select(_ => new List<(int, int)>())]);
        int read = 0;

        async Task WriteAsync(int writer)
        {
            using IWriteChannelEnd<Ledger.Message> end = writers[writer];
            for (int number = 0; number < traffic.MessagesOfWriter[writer]; number++)
            {
                await end.WriteAsync(ledger.Create(number, writer));
            }
        }

        async Task ReadAsync(int reader)
        {
            using IReadChannelEnd<Ledger.Message> end = readers[reader];
            while (
                outcome.Read[reader].Count < traffic.ReaderLeavesAfter[reader]
                && await end.TryReadAsync() is (true, { } message)
            )
            {
                outcome.Read[reader].Add((message.Writer, message.Number));
                message.Dispose();
                if (Interlocked.Increment(ref read) == traffic.PoisonAfter)
                {
                    channel.Poison(new IOException("poison"));
                }
            }
        }

        async Task EndAsync(Func<int, Task> processAsync, int index)
        {
            try
            {
                await processAsync(index);
            }
            catch (Exception reported) when (reported is RetiredException or PoisonedException)
            {
                Interlocked.Increment(ref outcome.Reported);
            }
        }

        if (traffic.PoisonAfter == 0)
        {
            channel.Poison(new IOException("poison"));
        }

        await Task.WhenAll([
                .. Enumerable.Range(0, writers.Count).Select(index => Task.Run(() => EndAsync(WriteAsync, index))),
                .. Enumerable.Range(0, readers.Count).Select(index => Task.Run(() => EndAsync(ReadAsync, index))),
            ])
            .Soon();

        ledger.AssertEachDisposedOnce();
        Assert.Distinct(outcome.Read.SelectMany(list => list));
        Assert.All(outcome.Read, list => Assert.All(list.GroupBy(message => message.Writer), InOrder));
        return outcome;
    }

    private static void InOrder(IGrouping<int, (int Writer, int Number)> messages) =>
        Assert.Equal(messages.Select(message => message.Number).Order(), messages.Select(message => message.Number));

    private sealed record Traffic(int Capacity, int[] MessagesOfWriter, int[] ReaderLeavesAfter, int PoisonAfter);

    private sealed class Outcome(List<(int Writer, int Number)>[] read)
    {
        public int Reported;

        public List<(int Writer, int Number)>[] Read { get; } = read;
    }
}
