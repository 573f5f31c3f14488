using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

public sealed class LocalFolderConformanceTests(LocalFolder server)
    : StoreConformance(server),
        IClassFixture<LocalFolder>;
