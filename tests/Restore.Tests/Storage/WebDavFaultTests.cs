using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

public sealed class WebDavFaultTests(ApacheServer server) : HttpStoreFaults(server), IClassFixture<ApacheServer>;
