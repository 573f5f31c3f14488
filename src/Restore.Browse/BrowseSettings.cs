namespace Restore.Browse;

/// <summary>What the host of the page decides.</summary>
internal sealed record BrowseSettings
{
    /// <summary>Writes reports as one file, to be kept; null if they cannot be saved.</summary>
    public Action<TextWriter, IReadOnlyList<RestoreReport>>? ReportPage { get; init; }

    /// <summary>
    /// The price of a GB that leaves the store, in any currency; null if it is not known.
    /// </summary>
    public decimal? PricePerGigabyte { get; init; }

    /// <summary>Whether the folder of a restore can be shown in a window.</summary>
    public bool CanShowFolder { get; init; }

    /// <summary>
    /// Whether reads of the store cost neither money nor much time, so that the page may fetch small
    /// pictures unasked.
    /// </summary>
    public bool HasFreeReads { get; init; }

    /// <summary>The time zone of files and folders that are named by the time of a version.</summary>
    public TimeZoneInfo TimeZone { get; init; } = TimeZoneInfo.Local;
}
