using System.Text.RegularExpressions;

namespace Restore.Format;

/// <summary>
/// The prefix is "duplicati" unless chosen otherwise; the guid is empty for a file list; the time
/// (UTC) is default for other kinds.
/// </summary>
internal readonly partial record struct VolumeName(
    string Name,
    string Prefix,
    VolumeKind Kind,
    string Guid,
    DateTimeOffset Time,
    ArchiveKind Archive,
    EncryptionKind Encryption
)
{
    /// <summary>
    /// Parses the name of a file in the backup's folder; false for files that are not volumes:
    /// parity files, partial uploads, impossible times.
    /// </summary>
    /// <remarks>
    /// Duplicati's own pattern accepts any text as encryption, so "x.dlist.zip.par2" would be a
    /// version; this parser accepts only aes and gpg. As in Duplicati, the letter before the guid
    /// is not compared with the kind, and any character may stand before the kind. The case of
    /// letters after the prefix does not count: some servers and disks change it.
    /// </remarks>
    public static bool TryParse(string fileName, out VolumeName name)
    {
        name = default;
        Match match = Pattern().Match(fileName);

        // IgnoreCase also takes the Kelvin sign (U+212A) for a k, and such a name is not the name
        // of a volume.
        if (!match.Success || !Ascii.IsValid(fileName.AsSpan(match.Groups["prefix"].Length)))
        {
            return false;
        }

        VolumeKind kind = match.Groups["kind"].Value.ToLowerInvariant() switch
        {
            "dlist" => VolumeKind.FileList,
            "dindex" => VolumeKind.Index,
            _ => VolumeKind.Block,
        };
        Group time = match.Groups["time"];
        DateTime utc = default;
        if (
            time.Success != (kind == VolumeKind.FileList)
            || (time.Success && !Timestamp.TryParse(time.Value.ToUpperInvariant(), out utc))
        )
        {
            return false;
        }

        name = new VolumeName(
            fileName,
            match.Groups["prefix"].Value,
            kind,
            match.Groups["guid"].Value,
            time.Success ? new DateTimeOffset(utc) : default,
            ParseArchive(match.Groups["archive"].Value.ToLowerInvariant()),
            ParseEncryption(match.Groups["encryption"].Value.ToLowerInvariant())
        );
        return true;
    }

    public static string FormatFileList(
        string prefix,
        DateTimeOffset time,
        ArchiveKind archive,
        EncryptionKind encryption
    ) => $"{Checked(prefix)}-{Timestamp.Format(time)}.dlist{Extension(archive, encryption)}";

    public static string FormatIndex(string prefix, Guid id, ArchiveKind archive, EncryptionKind encryption) =>
        $"{Checked(prefix)}-i{id:N}.dindex{Extension(archive, encryption)}";

    public static string FormatBlock(string prefix, Guid id, ArchiveKind archive, EncryptionKind encryption) =>
        $"{Checked(prefix)}-b{id:N}.dblock{Extension(archive, encryption)}";

    /// <summary>
    /// Whether volumes like this one are written: a backup has volumes of one kind.
    /// </summary>
    public bool IsWritable =>
        this is { Archive: ArchiveKind.Zip, Encryption: EncryptionKind.None or EncryptionKind.Aes };

    private static ArchiveKind ParseArchive(ReadOnlySpan<char> text) =>
        text switch
        {
            "zip" => ArchiveKind.Zip,
            "tgz" => ArchiveKind.TarGzip,
            "tzstd" => ArchiveKind.TarZstd,
            _ => ArchiveKind.Unknown,
        };

    private static EncryptionKind ParseEncryption(ReadOnlySpan<char> text) =>
        text switch
        {
            "aes" => EncryptionKind.Aes,
            "gpg" => EncryptionKind.Gpg,
            _ => EncryptionKind.None,
        };

    private static string Checked(string prefix) =>
        prefix.Length > 0 && prefix.AsSpan().IndexOfAny('-', '/', '\\') < 0
            ? prefix
            : throw new ArgumentException(
                $"The prefix \"{prefix}\" cannot be used: it must not be empty nor have -, / or \\ in it",
                nameof(prefix)
            );

    private static string Extension(ArchiveKind archive, EncryptionKind encryption)
    {
        string module = archive switch
        {
            ArchiveKind.Zip => ".zip",
            ArchiveKind.TarGzip => ".tgz",
            ArchiveKind.TarZstd => ".tzstd",
            _ => throw new ArgumentOutOfRangeException(
                nameof(archive),
                archive,
                "A volume cannot be written in an unknown archive format"
            ),
        };
        return module
            + encryption switch
            {
                EncryptionKind.Aes => ".aes",
                EncryptionKind.Gpg => ".gpg",
                _ => "",
            };
    }

    // Matching is linear: no part can match what the part after it needs, except the hex digits,
    // which are given back one by one.
    [GeneratedRegex(
        @"\A(?<prefix>[^\-/\\]+)-([ib|IB](?<guid>[0-9A-Fa-f]+)|(?<time>[0-9]{8}T[0-9]{6}Z))"
            + @".(?<kind>dblock|dlist|dindex)\.(?<archive>[0-9A-Za-z]+)(\.(?<encryption>aes|gpg))?\z",
        RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture | RegexOptions.IgnoreCase
    )]
    private static partial Regex Pattern();
}
