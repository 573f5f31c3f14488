using System.Collections.Frozen;

namespace Restore.Assessment;

/// <summary>
/// What is known of types of files before any history is: which people keep, and which programs
/// make again.
/// </summary>
internal static class FileTypes
{
    private static readonly FrozenDictionary<string, TypeGroup> Groups = Of(
        (TypeGroup.Picture, "jpg jpeg png gif heic heif tif tiff bmp webp raw cr2 cr3 nef arw dng psd svg"),
        (TypeGroup.Film, "mp4 mov avi mkv m4v mpg mpeg wmv webm mts 3gp"),
        (TypeGroup.Music, "mp3 flac wav m4a ogg opus aac aiff wma"),
        (TypeGroup.Document, "pdf doc docx xls xlsx ppt pptx odt ods odp rtf epub pages numbers key djvu vsd"),
        (TypeGroup.Archive, "zip 7z rar tar tgz tbz2 txz tzst gz bz2 xz zst iso dmg cab jar"),
        (
            TypeGroup.Text,
            "c h cc cpp cxx hpp hh m mm cs fs vb java kt kts scala clj groovy py rb pl pm php lua r jl js mjs cjs ts jsx tsx vue svelte go rs "
                + "swift dart zig hs ml erl ex exs el lisp sh bash zsh fish ps1 psm1 bat cmd sql css scss sass less html htm xhtml xml xsl xsd json "
                + "json5 yml yaml toml ini cfg conf properties md rst adoc tex bib cmake mk gradle csproj sln proto graphql tf"
        ),
        (
            TypeGroup.Container,
            "mbox pst ost dbx msf sqlite sqlite3 db db3 mdb accdb ibd frm myd myi mdf ldf vhd vhdx vmdk vdi qcow2 hc tc vc kdbx kdb psafe3 "
                + "sparseimage sparsebundle img"
        ),
        (TypeGroup.Made, "o obj pyc pyo class pdb lo tmp temp cache log swp swo part crdownload etl dmp")
    );

    private static readonly FrozenSet<string> MadeFolders = new[]
    {
        "build",
        "obj",
        "target",
        "node_modules",
        "__pycache__",
        ".cache",
        "cache",
        "cache2",
        "caches",
        "tmp",
        "temp",
        ".gradle",
        ".git",
        "cmakefiles",
        ".vs",
        ".idea",
        "deriveddata",
        "trash",
        ".trash",
        "$recycle.bin",
    }.ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    // Programs that compress or keep an older copy give these.
    private static readonly FrozenSet<string> Harmless =
        "gz bz2 xz zst zip 7z rar lz4 br bak old orig backup tmp save 1 2 3"
            .Split(' ')
            .ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    private static readonly FrozenSet<string> Notes = "txt html htm hta rtf png bmp url md"
        .Split(' ')
        .ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    public static TypeGroup GroupOf(ReadOnlySpan<byte> extension) =>
        Groups.GetValueOrDefault(Encoding.UTF8.GetString(extension));

    public static bool IsHarmless(ReadOnlySpan<byte> extension) =>
        Harmless.Contains(Encoding.UTF8.GetString(extension));

    /// <summary>Whether a ransom note can have the type.</summary>
    public static bool IsNote(ReadOnlySpan<byte> extension) => Notes.Contains(Encoding.UTF8.GetString(extension));

    /// <summary>Whether programs make again what is in a folder.</summary>
    public static bool IsMadeFolder(ReadOnlySpan<byte> folder)
    {
        foreach (string name in Encoding.UTF8.GetString(folder).Split('/', '\\'))
        {
            if (MadeFolders.Contains(name))
            {
                return true;
            }
        }

        return false;
    }

    private static FrozenDictionary<string, TypeGroup> Of(params (TypeGroup Group, string Extensions)[] rows) =>
        rows.SelectMany(row => row.Extensions.Split(' ').Select(extension => KeyValuePair.Create(extension, row.Group)))
            .ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);
}
