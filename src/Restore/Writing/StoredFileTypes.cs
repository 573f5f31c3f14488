namespace Restore.Writing;

/// <summary>Ends of the names of files whose content is compressed already.</summary>
internal static class StoredFileTypes
{
    public static readonly IReadOnlyList<string> Default =
    [
        // Archives and packages
        ".7z", ".apk", ".br", ".bz2", ".cab", ".crx", ".deb", ".docx", ".dmg", ".ear", ".epub", ".gz", ".ipa", ".jar", ".lz", ".lz4", ".lzma", ".lzo", ".msix",
        ".nupkg", ".odp", ".ods", ".odt", ".pptx", ".rar", ".rpm", ".snap", ".tbz2", ".tgz", ".txz", ".tzst", ".war", ".whl", ".xlsx", ".xpi", ".xz", ".zip",
        ".zst",

        // Pictures, sound, video
        ".3gp", ".aac", ".ape", ".avi", ".avif", ".flac", ".flv", ".gif", ".heic", ".heif", ".jp2", ".jpeg", ".jpg", ".jxl", ".m4a", ".m4v", ".mkv", ".mov",
        ".mp3", ".mp4", ".mpeg", ".mpg", ".oga", ".ogg", ".ogv", ".opus", ".png", ".webm", ".webp", ".wma", ".wmv",

        // Encrypted
        ".aes", ".gpg", ".pgp",
    ];
}
