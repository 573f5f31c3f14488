using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

[Trait("Suite", "server")]
public sealed class WebDavFaultTests(ApacheServer server) : HttpStoreFaults(server), IClassFixture<ApacheServer>;
