using Restore.Azure;
using Restore.S3;
using Restore.Sftp;

namespace Restore.Cli.Options;

internal static class HostStores
{
    public static StoreRegistry Registry { get; } =
        StoreRegistry
            .Default.With(new SftpStoreProvider())
            .With(new S3StoreProvider())
            .With(new B2StoreProvider())
            .With(new GcsStoreProvider())
            .With(new AzureStoreProvider());
}
