namespace Restore.Interop;

/// <summary>What Windows says of a file or folder that is no reparse point.</summary>
internal readonly record struct FoundFile
{
    public bool IsMissing { get; init; }

    public FileAttributes Attributes { get; init; }

    public long SizeBytes { get; init; }

    public long ModifiedTicks { get; init; }

    public int LinkCount { get; init; }
}
