namespace Restore;

/// <summary>The formats of <see cref="Backup.ExportArchiveAsync"/>.</summary>
public enum ArchiveFormat
{
    /// <summary>
    /// Tar in the pax format: times to 100 ns, mode, numbers and names of owner and group, links,
    /// names and sizes of any length, extended attributes (as SCHILY.xattr records), and POSIX
    /// access lists (as SCHILY.acl records). The mode of an entry with an access list has the
    /// rights of the group, not the mask of the list.
    /// </summary>
    Tar,

    /// <summary>
    /// Zip with Deflate: times to the second, mode, numbers of owner and group, links; no extended
    /// attributes. Zip64 where it is needed.
    /// </summary>
    Zip,
}
