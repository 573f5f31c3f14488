namespace Restore.Compression;

internal static class EntryName
{
    private const int MaxShown = 120;

    /// <summary>The name as text, shortened to a line, without control characters.</summary>
    public static string ForDisplay(ReadOnlySpan<byte> name)
    {
        string text = Encoding.UTF8.GetString(name[..Math.Min(name.Length, MaxShown)]);
        string shown = string.Create(
            text.Length,
            text,
            static (target, source) =>
            {
                for (int i = 0; i < target.Length; i++)
                {
                    target[i] = char.IsControl(source[i]) ? '?' : source[i];
                }
            }
        );
        return name.Length > MaxShown ? shown + "..." : shown;
    }
}
