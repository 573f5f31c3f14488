using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Restore.Web;

/// <summary>How a backup is served.</summary>
public sealed record BrowseOptions
{
    /// <summary>The port on the loopback interface; 0 for a free one.</summary>
    public int Port { get; init; }

    /// <summary>
    /// The folder that the page may restore to, with those below it; null for none.
    /// </summary>
    public string? RestoreFolder { get; init; }

    /// <summary>
    /// Whether the page may restore entries to the places that they had, after a question.
    /// </summary>
    public bool AllowOriginalPlaces { get; init; }

    /// <summary>
    /// Gives the reason why a folder must not be restored to, without a full stop; null if it may.
    /// </summary>
    public Func<string, string?>? RefuseTarget { get; init; }

    /// <summary>
    /// Gives the room at a folder, which need not exist yet; null if it is not known.
    /// </summary>
    public Func<string, long?>? FreeBytesAt { get; init; }

    /// <summary>
    /// Shows a folder of this machine to its user, in a window, and gives the reason if it cannot;
    /// null if there is no such window. It gets the full path of a folder that exists.
    /// </summary>
    public Func<string, Task<string?>>? ShowFolder { get; init; }

    /// <summary>
    /// Writes reports as one page of HTML, to be kept; null if they cannot be saved.
    /// </summary>
    public Action<TextWriter, IReadOnlyList<RestoreReport>>? ReportPage { get; init; }

    /// <summary>
    /// The price of a GB that leaves the store, in any currency; null if it is not known.
    /// </summary>
    public decimal? PricePerGigabyte { get; init; }

    /// <summary>
    /// Whether reads of the store cost neither money nor much time: then the page fetches small
    /// pictures unasked.
    /// </summary>
    public bool HasFreeReads { get; init; }

    /// <summary>Receives what goes wrong inside of the server.</summary>
    public ILoggerFactory LoggerFactory { get; init; } = NullLoggerFactory.Instance;

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
