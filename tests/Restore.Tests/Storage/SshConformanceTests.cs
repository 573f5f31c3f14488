using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

[Trait("Suite", "server")]
public sealed class SshConformanceTests(SshServer server) : RemoteStoreConformance(server), IClassFixture<SshServer>;
