using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

public sealed class RcloneWebDavConformanceTests(RcloneWebDavServer server) : RemoteStoreConformance(server), IClassFixture<RcloneWebDavServer>;
