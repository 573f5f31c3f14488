using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

public sealed class SftpPasswordConformanceTests(RcloneSftpServer server) : RemoteStoreConformance(server), IClassFixture<RcloneSftpServer>;
