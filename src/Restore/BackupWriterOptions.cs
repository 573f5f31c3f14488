namespace Restore;

/// <summary>What to back up, where, and how. The defaults are Duplicati's, except for the compression level, which is 6 instead of 9.</summary>
public sealed record BackupWriterOptions
{
    /// <summary>The folders (or single files) to back up. Links in them are stored as links; special files are left out.</summary>
    public required IReadOnlyList<string> Sources { get; init; }

    /// <summary>The folder for the volumes; created if it does not exist. A folder with a backup of the same prefix gets another version.</summary>
    public required string Destination { get; init; }

    /// <summary>The passphrase to encrypt with (AES Crypt version 2), or null for unencrypted volumes.</summary>
    public string? Passphrase { get; init; }

    /// <summary>Length of a block, 1 KiB to 512 MiB. A backup keeps the block size of its first version.</summary>
    public int BlockSizeBytes { get; init; } = 1 << 20;

    /// <summary>Size limit of a block volume: at least two blocks and 16 KiB, at most 1 GiB, since volumes are built in memory.</summary>
    public int VolumeSizeBytes { get; init; } = 50 << 20;

    /// <summary>Hash of blocks: MD5, SHA1, SHA256, SHA384 or SHA512.</summary>
    public string BlockHash { get; init; } = "SHA256";

    /// <summary>Hash of whole files, metadata and volumes: MD5, SHA1, SHA256, SHA384 or SHA512.</summary>
    public string FileHash { get; init; } = "SHA256";

    /// <summary>Deflate level from 1 (fast) to 9 (small); 0 stores blocks uncompressed. Blocks that do not shrink are stored uncompressed anyway.</summary>
    public int CompressionLevel { get; init; } = 6;

    /// <summary>Prefix of the names of the volumes.</summary>
    public string Prefix { get; init; } = "duplicati";

    /// <summary>The time of the version, in whole seconds; null for now, or a second after the newest version if that is later.</summary>
    public DateTimeOffset? Time { get; init; }

    /// <summary>Leaves out times, modes, owners and attributes. Links cannot be restored then, because their target is metadata.</summary>
    public bool SkipMetadata { get; init; }

    /// <summary>Copies of the processes that hash, compress and encrypt; null for the number of cores.</summary>
    public int? Concurrency { get; init; }

    /// <summary>Measures the processes, for <see cref="BackupWriterReport.Profile"/>.</summary>
    public bool Profile { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Only the type: the text that the compiler would generate contains the passphrase.</summary>
    public override string ToString() => nameof(BackupWriterOptions);
}
