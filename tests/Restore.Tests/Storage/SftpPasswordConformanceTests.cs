using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

[Trait("Suite", "server")]
public sealed class SftpPasswordConformanceTests(RcloneSftpServer server)
    : RemoteStoreConformance(server),
        IClassFixture<RcloneSftpServer>;
