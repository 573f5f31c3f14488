using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

[Trait("Suite", "server")]
public sealed class FtpConformanceTests(FtpServer server) : RemoteStoreConformance(server), IClassFixture<FtpServer>;
