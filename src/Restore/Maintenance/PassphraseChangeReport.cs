namespace Restore.Maintenance;

/// <summary>The result of <see cref="BackupMaintenance.ChangePassphraseAsync"/>.</summary>
public sealed record PassphraseChangeReport
{
    /// <summary>Volumes that had the former passphrase before the change.</summary>
    public int ToChange { get; init; }

    /// <summary>The bytes of these volumes.</summary>
    public long BytesToChange { get; init; }

    /// <summary>Volumes that were replaced. 0 in a dry run.</summary>
    public int Changed { get; init; }

    /// <summary>Volumes that had the new passphrase before.</summary>
    public int ChangedBefore { get; init; }

    /// <summary>
    /// The names of the volumes that keep the former passphrase, for the reasons in
    /// <see cref="Issues"/>. Empty in a dry run.
    /// </summary>
    public IReadOnlyList<string> Left { get; init; } = [];

    /// <summary>Bytes read from the store.</summary>
    public long BytesFetched { get; init; }

    /// <summary>Bytes written to the store.</summary>
    public long BytesWritten { get; init; }

    /// <summary>Duration.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>The volumes that could not be changed.</summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];
}
