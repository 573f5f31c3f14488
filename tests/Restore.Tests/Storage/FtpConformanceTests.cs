using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

public sealed class FtpConformanceTests(FtpServer server) : RemoteStoreConformance(server), IClassFixture<FtpServer>;
