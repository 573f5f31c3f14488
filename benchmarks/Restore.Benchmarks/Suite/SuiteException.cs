namespace Restore.Benchmarks.Suite;

/// <summary>A run with a wrong result: it cannot be measured.</summary>
internal sealed class SuiteException(string message) : Exception(message);
