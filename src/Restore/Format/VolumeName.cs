using System.Text.RegularExpressions;

namespace Restore.Format;

/// <summary>The three kinds of volume; on disk they are called dlist, dindex and dblock.</summary>
internal enum VolumeKind : byte
{
    FileList,
    Index,
    Block,
}

/// <summary>The archive format of a volume, from its name.</summary>
internal enum ArchiveKind : byte
{
    Zip,
    TarGzip,
    TarZstd,

    /// <summary>An archive module that Duplicati dropped or that is not known. Such a volume is listed and cannot be read.</summary>
    Unknown,
}

/// <summary>The encryption of a volume, from its name.</summary>
internal enum EncryptionKind : byte
{
    None,
    Aes,
    Gpg,
}

/// <summary>The parsed name of a volume in the backup's folder.</summary>
/// <param name="Name">The whole name.</param>
/// <param name="Prefix">Distinguishes the backups in one folder; "duplicati" unless chosen otherwise.</param>
/// <param name="Kind">What the volume holds.</param>
/// <param name="Guid">Hex digits that make an index or block volume unique; empty for a file list.</param>
/// <param name="Time">When the version was made, UTC; default for the other kinds.</param>
/// <param name="Archive">The archive format.</param>
/// <param name="Encryption">The encryption.</param>
internal readonly partial record struct VolumeName(
    string Name, string Prefix, VolumeKind Kind, string Guid, DateTimeOffset Time, ArchiveKind Archive, EncryptionKind Encryption)
{
    /// <summary>
    /// Parses the name of a file in the backup's folder; false for files that are not volumes: parity files, partial uploads, impossible times.
    /// </summary>
    /// <remarks>
    /// Duplicati's own pattern accepts any text as encryption, so "x.dlist.zip.par2" would be a version; this parser accepts only aes and gpg.
    /// As in Duplicati, the letter before the guid is not compared with the kind, and any character may stand before the kind.
    /// </remarks>
    public static bool TryParse(string fileName, out VolumeName name)
    {
        name = default;
        Match match = Pattern().Match(fileName);
        if (!match.Success)
        {
            return false;
        }

        VolumeKind kind = match.Groups["kind"].ValueSpan switch
        {
            "dlist" => VolumeKind.FileList,
            "dindex" => VolumeKind.Index,
            _ => VolumeKind.Block,
        };
        Group time = match.Groups["time"];
        DateTime utc = default;
        if (time.Success != (kind == VolumeKind.FileList) || (time.Success && !Timestamp.TryParse(time.ValueSpan, out utc)))
        {
            return false;
        }

        name = new VolumeName(
            fileName,
            match.Groups["prefix"].Value,
            kind,
            match.Groups["guid"].Value,
            time.Success ? new DateTimeOffset(utc) : default,
            ParseArchive(match.Groups["archive"].ValueSpan),
            ParseEncryption(match.Groups["encryption"].ValueSpan));
        return true;
    }

    /// <summary>The name of a file list for the version of <paramref name="time"/>.</summary>
    public static string FormatFileList(string prefix, DateTimeOffset time, ArchiveKind archive, EncryptionKind encryption) =>
        $"{Checked(prefix)}-{Timestamp.Format(time)}.dlist{Extension(archive, encryption)}";

    public static string FormatIndex(string prefix, Guid id, ArchiveKind archive, EncryptionKind encryption) =>
        $"{Checked(prefix)}-i{id:N}.dindex{Extension(archive, encryption)}";

    public static string FormatBlock(string prefix, Guid id, ArchiveKind archive, EncryptionKind encryption) =>
        $"{Checked(prefix)}-b{id:N}.dblock{Extension(archive, encryption)}";

    /// <summary>Whether volumes like this one are written: a backup has volumes of one kind.</summary>
    public bool IsWritable => this is { Archive: ArchiveKind.Zip, Encryption: EncryptionKind.None or EncryptionKind.Aes };

    private static ArchiveKind ParseArchive(ReadOnlySpan<char> text) => text switch
    {
        "zip" => ArchiveKind.Zip,
        "tgz" => ArchiveKind.TarGzip,
        "tzstd" => ArchiveKind.TarZstd,
        _ => ArchiveKind.Unknown,
    };

    private static EncryptionKind ParseEncryption(ReadOnlySpan<char> text) => text switch
    {
        "aes" => EncryptionKind.Aes,
        "gpg" => EncryptionKind.Gpg,
        _ => EncryptionKind.None,
    };

    private static string Checked(string prefix) =>
        prefix.Length > 0 && prefix.AsSpan().IndexOfAny('-', '/', '\\') < 0
            ? prefix
            : throw new ArgumentException($"The prefix \"{prefix}\" cannot be used: it must not be empty nor have -, / or \\ in it", nameof(prefix));

    private static string Extension(ArchiveKind archive, EncryptionKind encryption)
    {
        string module = archive switch
        {
            ArchiveKind.Zip => ".zip",
            ArchiveKind.TarGzip => ".tgz",
            ArchiveKind.TarZstd => ".tzstd",
            _ => throw new ArgumentOutOfRangeException(nameof(archive), archive, "A volume cannot be written in an unknown archive format"),
        };
        return module + encryption switch
        {
            EncryptionKind.Aes => ".aes",
            EncryptionKind.Gpg => ".gpg",
            _ => "",
        };
    }

    // Matching is linear: no part can match what the part after it needs, except the hex digits, which are given back one by one.
    [GeneratedRegex(
        @"\A(?<prefix>[^\-/\\]+)-([ib|IB](?<guid>[0-9A-Fa-f]+)|(?<time>[0-9]{8}T[0-9]{6}Z))"
        + @".(?<kind>dblock|dlist|dindex)\.(?<archive>[0-9A-Za-z]+)(\.(?<encryption>aes|gpg))?\z",
        RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture)]
    private static partial Regex Pattern();
}
