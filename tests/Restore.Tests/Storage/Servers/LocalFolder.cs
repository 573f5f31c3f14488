namespace Restore.Tests.Storage.Servers;

/// <summary>No server: the folder itself.</summary>
public sealed class LocalFolder : StoreServer
{
    public override string UrlOf(string folder, int port) => $"file://{Root}/{folder}";

    protected override Task StartAsync() => Task.CompletedTask;
}
