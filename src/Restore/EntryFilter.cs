namespace Restore;

/// <summary>Which entries of a version are wanted: Duplicati's filter expressions, first match wins.</summary>
public sealed partial class EntryFilter
{
    /// <summary>Takes every entry.</summary>
    public static EntryFilter All { get; } = new();
}
