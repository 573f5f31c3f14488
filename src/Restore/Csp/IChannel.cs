namespace Restore.Csp;

/// <summary>What the network needs of a channel, whatever it carries.</summary>
internal interface IChannel
{
    /// <summary>Name of the channel, for messages.</summary>
    string Name { get; }

    /// <summary>Ends for reading that have not been left.</summary>
    int Readers { get; }

    /// <summary>Ends for writing that have not been left.</summary>
    int Writers { get; }

    /// <summary>Ends the channel now: buffered messages are disposed; readers and writers, waiting ones too, get <see cref="PoisonedException"/>.</summary>
    void Poison(Exception cause);
}
