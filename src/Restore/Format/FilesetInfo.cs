namespace Restore.Format;

/// <summary>
/// False if the backup was stopped early or its list was made up afterwards. True if the entry does
/// not say (before 2019).
/// </summary>
internal readonly record struct FilesetInfo(bool IsFullBackup)
{
    public static FilesetInfo Parse(ReadOnlySpan<byte> json)
    {
        using JsonDocument document = JsonText.ParseObject(json, "The fileset entry");
        return new FilesetInfo(
            !document.RootElement.TryGetProperty(nameof(IsFullBackup), out JsonElement isFull)
                || isFull.ValueKind != JsonValueKind.False
        );
    }

    public byte[] Write() =>
        [.. JsonText.Bom, .. IsFullBackup ? "{\"IsFullBackup\":true}"u8 : "{\"IsFullBackup\":false}"u8];
}
