using Restore.Azure;
using Restore.S3;
using Restore.Sftp;
using Restore.Storage;

namespace Restore.Tests.Storage;

/// <summary>Opens stores of every kind there is, those of other packages included.</summary>
internal static class TestStores
{
    public static StoreRegistry Registry { get; } =
        StoreRegistry
            .Default.With(new SftpStoreProvider())
            .With(new S3StoreProvider())
            .With(new B2StoreProvider())
            .With(new GcsStoreProvider())
            .With(new AzureStoreProvider());

    public static MeteredStore Open(string location, IReadOnlyDictionary<string, string>? options = null) =>
        StoreFactory.Open(location, Registry, options ?? new Dictionary<string, string>(), TimeProvider.System);

    /// <summary>What a provider opens a store with.</summary>
    public static StoreContext Context(string location, IReadOnlyDictionary<string, string>? options = null)
    {
        StoreUrl url = StoreUrlParser.Parse(location, options ?? new Dictionary<string, string>());
        return new StoreContext(
            url,
            Registry.CommonOptions.Concat(Registry.FindProvider(url.Scheme)!.Options),
            TimeProvider.System
        );
    }
}
