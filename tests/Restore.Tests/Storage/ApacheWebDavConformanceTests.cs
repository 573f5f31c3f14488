using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

public sealed class ApacheWebDavConformanceTests(ApacheServer server) : RemoteStoreConformance(server), IClassFixture<ApacheServer>;
