namespace Restore.Format;

/// <summary>
/// The name of the volume that replaces a block or index volume when the passphrase of the backup
/// changes. It is derived from the old name, so that an interrupted change and a database with the
/// old names are recognized.
/// </summary>
internal static class SuccessorName
{
    /// <summary>The name; null for the name of a file list, or of no volume.</summary>
    public static string? Of(string fileName)
    {
        if (!VolumeName.TryParse(fileName, out VolumeName name) || name.Kind == VolumeKind.FileList)
        {
            return null;
        }

        Guid guid = new(SHA256.HashData(Encoding.UTF8.GetBytes($"passphrase {fileName}")).AsSpan(0, 16));
        return name.Kind == VolumeKind.Block
            ? VolumeName.FormatBlock(name.Prefix, guid, ArchiveKind.Zip, EncryptionKind.Aes)
            : VolumeName.FormatIndex(name.Prefix, guid, ArchiveKind.Zip, EncryptionKind.Aes);
    }
}
