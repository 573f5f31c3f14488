using Renci.SshNet;

namespace Restore.Sftp;

/// <summary>One connection, and how many operations it serves.</summary>
internal sealed class SftpLine(SftpClient client)
{
    private int operations;
    private int broken;

    public SftpClient Client { get; } = client;

    public int Operations => Volatile.Read(ref operations);

    public bool IsUsable => Volatile.Read(ref broken) == 0 && Client.IsConnected;

    public SftpLine Rented()
    {
        Interlocked.Increment(ref operations);
        return this;
    }

    public void Return() => Interlocked.Decrement(ref operations);

    /// <summary>
    /// Closes the connection. A disconnect from a server that no longer answers takes a second, so
    /// the caller does not wait for it.
    /// </summary>
    public void Break()
    {
        if (Interlocked.Exchange(ref broken, 1) == 0)
        {
            _ = Task.Run(Client.Dispose);
        }
    }
}
