namespace Restore.Benchmarks.Suite;

/// <summary>A run that did not restore what it should: there is nothing to measure then.</summary>
internal sealed class SuiteException(string message) : Exception(message);
