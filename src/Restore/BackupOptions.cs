using Microsoft.Extensions.Logging.Abstractions;
using Restore.Maintenance;

namespace Restore;

/// <summary>
/// How to open a backup. Every property has a default that suits a sound backup in a local folder.
/// </summary>
public sealed record BackupOptions
{
    /// <summary>
    /// The passphrase of encrypted volumes, exactly as it was given to Duplicati; null if there is
    /// none.
    /// </summary>
    public string? Passphrase { get; init; }

    /// <summary>
    /// Other passphrases for AES Crypt volumes that <see cref="Passphrase"/> does not open, for a
    /// backup with an unfinished change of its passphrase
    /// (<see cref="BackupMaintenance.ChangePassphraseAsync"/>).
    /// </summary>
    public IReadOnlyList<string> FormerPassphrases { get; init; } = [];

    /// <summary>
    /// Whether to use file lists and index volumes without encryption although other volumes of the
    /// backup are encrypted. Anyone who can write to the storage can make such a file;
    /// <see cref="Backup.Issues"/> names those that are left out.
    /// </summary>
    public bool AllowUnencrypted { get; init; }

    /// <summary>
    /// Whether GnuPG volumes may be encrypted to a key of this user instead of with the passphrase.
    /// Anyone who has the public key can make such a file.
    /// </summary>
    public bool AllowGpgKeys { get; init; }

    /// <summary>
    /// Whether to use what can be read of an encrypted file list that fails its authentication.
    /// Such a list is damaged, or was changed by somebody who can write to the storage.
    /// </summary>
    public bool AllowUnauthenticLists { get; init; }

    /// <summary>
    /// The prefix of the backup, if the folder has several; null if the folder has one.
    /// </summary>
    public string? Prefix { get; init; }

    /// <summary>
    /// Path of Duplicati's local database (SQLite), opened read-only; null to restore directly from
    /// the volumes. If the database cannot be used, the volumes are read, with a warning. It is an
    /// error only if the backup has no file list.
    /// </summary>
    public string? DatabasePath { get; init; }

    /// <summary>
    /// Limit of key derivation rounds in a volume's header (AES Crypt version 3); more is refused.
    /// Duplicati writes 300,000. 5,000,000 take some seconds for each volume.
    /// </summary>
    public int MaxKeyIterations { get; init; } = CipherOptions.DefaultMaxKeyIterations;

    /// <summary>
    /// Limit of the length of a block; files with longer blocks are refused. A restore needs memory
    /// for about three blocks at a time: three times 128 MiB by default. Duplicati's blocks have 1
    /// MiB.
    /// </summary>
    public long MaxBlockSizeBytes { get; init; } = 128 << 20;

    /// <summary>
    /// The GnuPG program for .gpg volumes; null to find gpg2 or gpg on the search path.
    /// </summary>
    public string? GpgProgramPath { get; init; }

    /// <summary>
    /// The program par2, which repairs damaged and missing volumes with the parity files beside
    /// them; null to find it on the search path. Without the program or the files nothing is
    /// repaired.
    /// </summary>
    public string? Par2ProgramPath { get; init; }

    /// <summary>
    /// Options of the store by Duplicati's names, without the dashes (for example
    /// <c>auth-username</c>). Credentials among them never reach a log, a report or an error. A
    /// name that no store of <see cref="Stores"/> has is a usage error.
    /// </summary>
    public IReadOnlyDictionary<string, string> StoreOptions { get; init; } = new Dictionary<string, string>();

    /// <summary>
    /// The kinds of stores that a location can name. To add one:
    /// <c>StoreRegistry.Default.With(provider)</c>.
    /// </summary>
    public StoreRegistry Stores { get; init; } = StoreRegistry.Default;

    /// <summary>
    /// Folder of the index cache: file lists and index volumes, as they are in the store, for the
    /// next time that the backup is opened; null for none.
    /// </summary>
    public string? CacheDirectory { get; init; }

    /// <summary>
    /// Creates the logger for events, in the category <see cref="RestoreTelemetry.Name"/>.
    /// </summary>
    public ILoggerFactory LoggerFactory { get; init; } = NullLoggerFactory.Instance;

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>
    /// Only the type: the text that the compiler would generate contains the passphrase and the
    /// credentials.
    /// </summary>
    public override string ToString() => nameof(BackupOptions);
}
