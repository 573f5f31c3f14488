using System.Collections.Frozen;

namespace Restore.Assessment;

/// <summary>How files of known types begin.</summary>
internal static class Beginnings
{
    private static readonly FrozenDictionary<string, (int Offset, byte[][] Marks)> Known = Of(
        (
            0,
            [
                [0xFF, 0xD8, 0xFF],
            ],
            "jpg jpeg jpe"
        ),
        (
            0,
            [
                [0x89, 0x50, 0x4E, 0x47],
            ],
            "png"
        ),
        (0, ["GIF8"u8.ToArray()], "gif"),
        (0, ["BM"u8.ToArray()], "bmp"),
        (0, ["II*\0"u8.ToArray(), "MM\0*"u8.ToArray()], "tif tiff nef dng arw"),
        (0, ["8BPS"u8.ToArray()], "psd"),
        (0, ["RIFF"u8.ToArray()], "webp wav avi"),
        (0, ["%PDF"u8.ToArray()], "pdf"),
        (0, ["PK"u8.ToArray()], "zip docx xlsx pptx odt ods odp odg epub jar apk"),
        (
            0,
            [
                [0xD0, 0xCF, 0x11, 0xE0],
                "PK"u8.ToArray(),
                "{\\rtf"u8.ToArray(),
            ],
            "doc xls ppt msi"
        ),
        (0, ["{\\rt"u8.ToArray()], "rtf"),
        (0, ["Rar!"u8.ToArray()], "rar"),
        (
            0,
            [
                [0x37, 0x7A, 0xBC, 0xAF],
            ],
            "7z"
        ),
        (
            0,
            [
                [0x1F, 0x8B],
            ],
            "gz tgz"
        ),
        (
            0,
            [
                [0xFD, 0x37, 0x7A, 0x58],
            ],
            "xz txz"
        ),
        (0, ["fLaC"u8.ToArray(), "ID3"u8.ToArray()], "flac"),
        (0, ["ID3"u8.ToArray(), [0xFF, 0xFB], [0xFF, 0xF3], [0xFF, 0xF2], [0xFF, 0xFA]], "mp3"),
        (0, ["OggS"u8.ToArray()], "ogg opus oga"),
        (4, ["ftyp"u8.ToArray()], "mp4 m4v m4a mov heic heif 3gp"),
        (
            0,
            [
                [0x1A, 0x45, 0xDF, 0xA3],
            ],
            "mkv webm"
        ),
        (0, ["SQLite format 3"u8.ToArray()], "sqlite sqlite3"),
        (0, ["MZ"u8.ToArray()], "exe dll")
    );

    /// <returns>Null if the type is not known, or the file is too short.</returns>
    public static bool? Fits(ReadOnlySpan<byte> extension, ReadOnlySpan<byte> beginning)
    {
        if (
            !Known.TryGetValue(Encoding.UTF8.GetString(extension), out (int Offset, byte[][] Marks) known)
            || beginning.Length < known.Offset + known.Marks.Max(mark => mark.Length)
        )
        {
            return null;
        }

        foreach (byte[] mark in known.Marks)
        {
            if (beginning[known.Offset..].StartsWith(mark))
            {
                return true;
            }
        }

        return false;
    }

    private static FrozenDictionary<string, (int, byte[][])> Of(params (int, byte[][], string Extensions)[] rows) =>
        rows.SelectMany(row =>
                row.Extensions.Split(' ').Select(extension => KeyValuePair.Create(extension, (row.Item1, row.Item2)))
            )
            .ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);
}
