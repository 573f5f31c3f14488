using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Restore;

/// <summary>How to open a backup. Every property has a default that suits a sound backup in a local folder.</summary>
public sealed record BackupOptions
{
    /// <summary>The passphrase of encrypted volumes, exactly as it was given to Duplicati; null when there is none.</summary>
    public string? Passphrase { get; init; }

    /// <summary>Which backup to take when the folder holds several; null takes the only one there is.</summary>
    public string? Prefix { get; init; }

    /// <summary>Path of Duplicati's local database (SQLite), opened read-only; null restores directly from the volumes.</summary>
    public string? DatabasePath { get; init; }

    /// <summary>
    /// Most key derivation rounds a volume's header may ask for (AES Crypt version 3); more is refused. Duplicati writes 300,000; 5,000,000 take some seconds
    /// each.
    /// </summary>
    public int MaxKeyIterations { get; init; } = 5_000_000;

    /// <summary>The GnuPG program for .gpg volumes; null finds gpg2 or gpg on the search path.</summary>
    public string? GpgProgramPath { get; init; }

    /// <summary>
    /// Options of the store by Duplicati's names, without the dashes (for example <c>auth-username</c>); credentials among them never reach a log, a report
    /// or an error. A name that no store of <see cref="Stores"/> has is a usage error.
    /// </summary>
    public IReadOnlyDictionary<string, string> StoreOptions { get; init; } = new Dictionary<string, string>();

    /// <summary>The kinds of stores that a location can name. To add one: <c>StoreRegistry.Default.With(provider)</c>.</summary>
    public StoreRegistry Stores { get; init; } = StoreRegistry.Default;

    /// <summary>
    /// Folder in which file lists and index volumes are kept, as they are in the store, so that the backup opened again reads them from there; null keeps none.
    /// </summary>
    public string? CacheDirectory { get; init; }

    /// <summary>Gives the logger for what happens while the backup is used, in the category <see cref="RestoreTelemetry.Name"/>.</summary>
    public ILoggerFactory LoggerFactory { get; init; } = NullLoggerFactory.Instance;

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Its type alone: what the compiler would write here has the passphrase and the credentials in it.</summary>
    public override string ToString() => nameof(BackupOptions);
}
