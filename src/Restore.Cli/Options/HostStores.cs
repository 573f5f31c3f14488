using Restore.S3;

namespace Restore.Cli.Options;

/// <summary>The stores of this program.</summary>
internal static class HostStores
{
    public static StoreRegistry Registry { get; } = StoreRegistry.Default.With(new S3StoreProvider());
}
