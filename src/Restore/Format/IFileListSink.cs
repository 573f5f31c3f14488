namespace Restore.Format;

/// <summary>Receives the entries of a file list in the order of the list.</summary>
internal interface IFileListSink
{
    void Entry(in FileListEntry entry);

    /// <summary>
    /// Says that an entry is some entries ahead, if that is known: for one who has to wait for
    /// memory that it needs.
    /// </summary>
    void Expect(in FileListEntry entry) { }

    /// <summary>
    /// Receives an entry that cannot be used. It is reported, and the rest of the list stays
    /// usable. If the entry has no path, the path is a number ("entry 7").
    /// </summary>
    void Unusable(string path, string reason);
}
