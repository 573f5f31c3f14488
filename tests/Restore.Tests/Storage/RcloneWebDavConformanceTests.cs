using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

[Trait("Suite", "server")]
public sealed class RcloneWebDavConformanceTests(RcloneWebDavServer server)
    : RemoteStoreConformance(server),
        IClassFixture<RcloneWebDavServer>;
