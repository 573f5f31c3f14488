using System.Globalization;

namespace Restore.Planning.Records;

/// <summary>
/// The names of what a run makes beside what it restores: its record, and the temporary names of what replaces something. Each carries the id of the run.
/// </summary>
internal static class RecordNames
{
    public const string Prefix = ".restore-";

    private const int IdDigits = 16;

    public static ReadOnlySpan<byte> Suffix => ".unfinished"u8;

    public static string Record(ulong run) => string.Create(CultureInfo.InvariantCulture, $"{Prefix}{run:x16}.unfinished");

    public static string Temporary(ulong run, int number) => string.Create(CultureInfo.InvariantCulture, $"{Prefix}{run:x16}.{number}");

    /// <summary>Whether a name is one that records have. A backup must not bring one: the next restore would believe it.</summary>
    public static bool IsRecord(ReadOnlySpan<char> name) =>
        name.Length == Prefix.Length + IdDigits + Suffix.Length
        && name.StartsWith(Prefix)
        && name.EndsWith(".unfinished")
        && ulong.TryParse(name.Slice(Prefix.Length, IdDigits), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out _);

    /// <summary>Whether a name is a temporary one of the run that a record belongs to.</summary>
    public static bool IsTemporary(ReadOnlySpan<char> name, ReadOnlySpan<char> record) =>
        name.StartsWith(record[..(Prefix.Length + IdDigits)])
        && name[(Prefix.Length + IdDigits)..] is ['.', .. var number]
        && int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out _);

    /// <summary>Whether a text can be the path of something at a target.</summary>
    public static bool IsPath(string text) => text.Split('/').All(part => part is not ("" or "." or ".."));

    /// <summary>The path of a name beside another path.</summary>
    public static string Beside(string path, string name) => path.LastIndexOf('/') is var slash and >= 0 ? $"{path[..slash]}/{name}" : name;
}
