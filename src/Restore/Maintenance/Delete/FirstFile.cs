namespace Restore.Maintenance.Delete;

/// <summary>Whether a list has a file.</summary>
internal sealed class FirstFile : IFileListSink
{
    public bool IsFound { get; private set; }

    public void Entry(in FileListEntry entry) => IsFound |= entry.Kind.IsFile();

    public void Unusable(string path, string reason) => IsFound = true;
}
