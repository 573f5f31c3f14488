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
}
