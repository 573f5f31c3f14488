namespace Restore.Tests.FixtureTests;

/// <summary>Which flow a test restores with.</summary>
public enum Flow
{
    /// <summary>The process network.</summary>
    Network,

    /// <summary>The sequential one.</summary>
    Legacy,
}
