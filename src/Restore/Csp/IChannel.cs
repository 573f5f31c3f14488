namespace Restore.Csp;

/// <summary>A channel from the network's view, independent of its messages.</summary>
internal interface IChannel
{
    string Name { get; }
    int Readers { get; }
    int Writers { get; }

    /// <summary>
    /// Ends the channel now: buffered messages are disposed; all readers and writers get
    /// <see cref="PoisonedException"/>.
    /// </summary>
    void Poison(Exception cause);
}
