using Restore.Csp;

namespace Restore.Tests.Csp;

/// <summary>Hands out messages and knows how often each was disposed.</summary>
internal sealed class Ledger
{
    private readonly List<Message> messages = [];

    public int Created
    {
        get
        {
            lock (messages)
            {
                return messages.Count;
            }
        }
    }

    public Message Create(int number, int writer = 0)
    {
        Message message = new(number, writer);
        lock (messages)
        {
            messages.Add(message);
        }

        return message;
    }

    public void AssertEachDisposedOnce()
    {
        lock (messages)
        {
            Assert.All(messages, message => Assert.Equal(1, message.Disposals));
        }
    }

    /// <summary>A message that must be disposed exactly once.</summary>
    internal sealed class Message(int number, int writer) : IDisposable, IMeasured
    {
        private int disposals;

        public int Number { get; } = number;

        public int Writer { get; } = writer;

        public int Disposals => Volatile.Read(ref disposals);

        public long Bytes => 100;

        public void Dispose() => Interlocked.Increment(ref disposals);
    }
}
