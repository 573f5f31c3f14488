using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

[Trait("Suite", "server")]
public sealed class S3ConformanceTests(S3Server server) : RemoteStoreConformance(server), IClassFixture<S3Server>;
