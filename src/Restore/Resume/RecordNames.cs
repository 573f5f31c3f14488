namespace Restore.Resume;

/// <summary>
/// The names of the files that a run creates for itself: its record and its partial files. Each
/// name contains the id of the run.
/// </summary>
internal static class RecordNames
{
    public const string Prefix = ".restore-";

    /// <summary>Why the record of a backup is not restored.</summary>
    public const string LeftOutReason = "It is the record of an interrupted restore, and of no use; it was left out";

    private const int IdDigits = 16;

    public static ReadOnlySpan<byte> Suffix => ".unfinished"u8;

    public static string Record(ulong run) =>
        string.Create(CultureInfo.InvariantCulture, $"{Prefix}{run:x16}.unfinished");

    public static string Partial(ulong run, int number) =>
        string.Create(CultureInfo.InvariantCulture, $"{Prefix}{run:x16}.{number}");

    /// <summary>
    /// Whether a name is the name of a record. A backup must not contain a record: the next restore
    /// would trust it.
    /// </summary>
    public static bool IsRecord(ReadOnlySpan<char> name) =>
        name.Length == Prefix.Length + IdDigits + Suffix.Length
        && name.StartsWith(Prefix)
        && name.EndsWith(".unfinished")
        && ulong.TryParse(
            name.Slice(Prefix.Length, IdDigits),
            NumberStyles.AllowHexSpecifier,
            CultureInfo.InvariantCulture,
            out _
        );

    public static ulong RunOf(ReadOnlySpan<char> record) =>
        ulong.Parse(
            record.Slice(Prefix.Length, IdDigits),
            NumberStyles.AllowHexSpecifier,
            CultureInfo.InvariantCulture
        );

    /// <summary>The path of a name in a folder of the target; the root is "".</summary>
    public static string In(string folder, string name) => folder.Length == 0 ? name : $"{folder}/{name}";

    public static string NextTo(string path, string name) =>
        path.LastIndexOf('/') is var slash and >= 0 ? $"{path[..slash]}/{name}" : name;
}
