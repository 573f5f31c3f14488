namespace Restore;

/// <summary>The formats of <see cref="Backup.ExportArchiveAsync"/>.</summary>
public enum ArchiveFormat
{
    /// <summary>
    /// Tar in the pax format: times to 100 ns, mode, numbers and names of owner and group, links, extended attributes (as SCHILY.xattr records), names and
    /// sizes of any length.
    /// </summary>
    Tar,

    /// <summary>Zip with Deflate: times to the second, mode, numbers of owner and group, links; no extended attributes. Zip64 where it is needed.</summary>
    Zip,
}
