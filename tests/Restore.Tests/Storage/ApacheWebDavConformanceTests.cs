using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

[Trait("Suite", "server")]
public sealed class ApacheWebDavConformanceTests(ApacheServer server)
    : RemoteStoreConformance(server),
        IClassFixture<ApacheServer>;
