namespace Restore.Tests;

/// <summary>
/// For tests that measure the whole process, for example its allocations: no other test runs beside
/// them.
/// </summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
