namespace Restore;

/// <summary>A volume that a plan reads.</summary>
/// <param name="Name">Its name in the store.</param>
/// <param name="SizeBytes">Its size.</param>
/// <param name="BytesToFetch">How much of it will be read.</param>
public sealed record PlannedVolume(string Name, long SizeBytes, long BytesToFetch);

/// <summary>What a restore will do, decided and immutable: read off it what it will cost, then execute it.</summary>
public sealed partial class RestorePlan
{
    private RestorePlan()
    {
    }

    /// <summary>The version to be restored.</summary>
    public BackupVersion Version { get; private init; } = null!;

    /// <summary>Files selected.</summary>
    public long Files { get; private init; }

    /// <summary>Folders selected.</summary>
    public long Folders { get; private init; }

    /// <summary>Links selected.</summary>
    public long Symlinks { get; private init; }

    /// <summary>Length of the contents of the selected files.</summary>
    public long Bytes { get; private init; }

    /// <summary>Files that are right at the target already.</summary>
    public long FilesUnchanged { get; private init; }

    /// <summary>Bytes of content still to be written.</summary>
    public long BytesToWrite { get; private init; }

    /// <summary>Bytes to be read from block volumes.</summary>
    public long BytesToFetch { get; private init; }

    /// <summary>The block volumes to be read, in order.</summary>
    public IReadOnlyList<PlannedVolume> Volumes { get; private init; } = [];

    /// <summary>What is known already to go wrong: refused entries, blocks found nowhere, damaged volumes met while planning.</summary>
    public IReadOnlyList<RestoreIssue> Issues { get; private init; } = [];

    /// <summary>Carries the plan out. Entries that fail are in the report; only the failure of the whole run throws.</summary>
    /// <param name="progress">Told how far it is, or null.</param>
    /// <param name="cancellationToken">Stops at once; what is half done is removed.</param>
    /// <returns>What came of it.</returns>
    /// <exception cref="RestoreException">The run as a whole failed: target full or not writable, store gone.</exception>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    public Task<RestoreReport> ExecuteAsync(IProgress<RestoreProgress>? progress = null, CancellationToken cancellationToken = default) =>
        ExecuteAsync(progress, CancellationToken.None, cancellationToken);

    /// <summary>Carries the plan out, with a gentle way to stop.</summary>
    /// <param name="progress">Told how far it is, or null.</param>
    /// <param name="stopToken">Hands out no more volumes and ends in good order: files whose blocks are all there are finished, unfinished new ones are removed. A second run does the rest.</param>
    /// <param name="cancellationToken">Stops at once.</param>
    /// <returns>What came of it.</returns>
    /// <exception cref="RestoreException">The run as a whole failed.</exception>
    /// <exception cref="OperationCanceledException">It was stopped or cancelled.</exception>
    public Task<RestoreReport> ExecuteAsync(IProgress<RestoreProgress>? progress, CancellationToken stopToken, CancellationToken cancellationToken) =>
        throw new InvalidOperationException("under construction");
}
