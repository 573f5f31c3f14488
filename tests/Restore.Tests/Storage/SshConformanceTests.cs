using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

public sealed class SshConformanceTests(SshServer server) : RemoteStoreConformance(server), IClassFixture<SshServer>;
