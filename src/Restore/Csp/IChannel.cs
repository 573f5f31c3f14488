namespace Restore.Csp;

/// <summary>A channel from the network's view, independent of its messages.</summary>
internal interface IChannel
{
    /// <summary>Name of the channel, for messages.</summary>
    string Name { get; }

    /// <summary>Number of open ends for reading.</summary>
    int Readers { get; }

    /// <summary>Number of open ends for writing.</summary>
    int Writers { get; }

    /// <summary>Ends the channel now: buffered messages are disposed; all readers and writers get <see cref="PoisonedException"/>.</summary>
    void Poison(Exception cause);
}
