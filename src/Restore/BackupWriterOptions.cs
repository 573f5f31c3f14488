namespace Restore;

/// <summary>What to back up, where to, and how. The defaults are Duplicati's but for the compression level, which is 6 instead of 9.</summary>
public sealed record BackupWriterOptions
{
    /// <summary>The folders (or single files) to back up; links in them are stored as links, special files are left out.</summary>
    public required IReadOnlyList<string> Sources { get; init; }

    /// <summary>The folder that takes the volumes; created when it is not there. One that holds a backup of the same prefix gets a further version.</summary>
    public required string Destination { get; init; }

    /// <summary>The passphrase to encrypt with (AES Crypt version 2), or null to write plain volumes.</summary>
    public string? Passphrase { get; init; }

    /// <summary>Length of a block, 1 KiB to 512 MiB. A backup keeps the block size it began with.</summary>
    public int BlockSizeBytes { get; init; } = 1 << 20;

    /// <summary>Largest block volume: at least two blocks and 16 KiB, at most 1 GiB, since a volume is made in memory.</summary>
    public int VolumeSizeBytes { get; init; } = 50 << 20;

    /// <summary>What names blocks: MD5, SHA1, SHA256, SHA384 or SHA512.</summary>
    public string BlockHash { get; init; } = "SHA256";

    /// <summary>What names whole files, metadata and volumes: MD5, SHA1, SHA256, SHA384 or SHA512.</summary>
    public string FileHash { get; init; } = "SHA256";

    /// <summary>Deflate level from 1 (fast) to 9 (small); 0 stores everything as it is. Blocks that do not shrink are stored anyway.</summary>
    public int CompressionLevel { get; init; } = 6;

    /// <summary>What the names of the volumes begin with.</summary>
    public string Prefix { get; init; } = "duplicati";

    /// <summary>The time of the version, in whole seconds; null takes the clock's, or a second after the newest version if that is not earlier.</summary>
    public DateTimeOffset? Time { get; init; }

    /// <summary>Leaves out times, modes, owners and attributes; links cannot be restored then, as their target is metadata.</summary>
    public bool SkipMetadata { get; init; }

    /// <summary>Copies of the processes that hash, compress and encrypt; null takes the number of cores.</summary>
    public int? Concurrency { get; init; }

    /// <summary>Measures in the ports of the processes, for <see cref="BackupWriterReport.Profile"/>.</summary>
    public bool Profile { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Its type alone: what the compiler would write here has the passphrase in it.</summary>
    public override string ToString() => nameof(BackupWriterOptions);
}
