using Restore.Csp;

namespace Restore.Tests.Csp;

/// <summary>Hands out messages and knows how often each was disposed.</summary>
internal sealed class Ledger
{
    private readonly List<Message> _messages = [];

    public int Created
    {
        get
        {
            lock (_messages)
            {
                return _messages.Count;
            }
        }
    }

    public Message Create(int number, int writer = 0)
    {
        Message message = new(number, writer);
        lock (_messages)
        {
            _messages.Add(message);
        }

        return message;
    }

    public void AssertEachDisposedOnce()
    {
        lock (_messages)
        {
            Assert.All(_messages, message => Assert.Equal(1, message.Disposals));
        }
    }

    /// <summary>A message that must be disposed exactly once.</summary>
    internal sealed class Message(int number, int writer) : IDisposable, IMeasured
    {
        private int _disposals;

        public int Number { get; } = number;

        public int Writer { get; } = writer;

        public int Disposals => Volatile.Read(ref _disposals);

        public long Bytes => 100;

        public void Dispose() => Interlocked.Increment(ref _disposals);
    }
}
