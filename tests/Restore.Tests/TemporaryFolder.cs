namespace Restore.Tests;

/// <summary>A new folder that is deleted with what is in it at the end of the test.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("restore-test-").FullName;

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
