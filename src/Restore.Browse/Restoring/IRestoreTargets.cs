namespace Restore.Browse.Restoring;

/// <summary>Where the page may restore to, and what writes there.</summary>
internal interface IRestoreTargets
{
    /// <summary>
    /// The name of the target unless the page asks for another; null if nothing can be restored.
    /// </summary>
    string? Root { get; }

    /// <summary>Whether entries may go to their original places.</summary>
    bool HasOriginalPlaces { get; }

    /// <summary>
    /// Whether one restore can take each file from another version: see
    /// <see cref="RestorePart.IsLastGood"/>.
    /// </summary>
    bool CanTakeLastGood { get; }

    /// <summary>
    /// Whether a plan says what is there already.
    /// </summary>
    bool IsFolder(string target);

    /// <summary>The target of a name that the page gives.</summary>
    /// <param name="relative">Names with a slash between them; empty for
    /// <see cref="Root"/>.</param>
    /// <exception cref="CallException">The page may not restore there.</exception>
    string Resolve(string? relative);

    /// <summary>Looks at a target again before the restore starts.</summary>
    /// <exception cref="CallException">The page may not restore there any more.</exception>
    void LookAgain(string target);

    Task<RestorePlan> PlanAsync(RestorePart part, CancellationToken cancellationToken);

    Task<RestoreReport> RestoreAsync(
        RestorePart part,
        RestorePlan plan,
        ExecuteOptions options,
        CancellationToken cancellationToken
    );
}
