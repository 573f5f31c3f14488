namespace Restore;

/// <summary>Why a run as a whole could not be done; each kind has its own exit code in the command line host.</summary>
public enum RestoreErrorKind
{
    /// <summary>The run failed for a reason that none of the other kinds names.</summary>
    Failed,

    /// <summary>An option has a value that cannot be used.</summary>
    Usage,

    /// <summary>The passphrase does not open the backup.</summary>
    WrongPassphrase,

    /// <summary>There is no such backup, version or file.</summary>
    NotFound,

    /// <summary>The target is full or cannot be written.</summary>
    TargetNotWritable,
}

/// <summary>
/// The failure of a whole run: what happened, where, and what to do about it. The failure of a single entry is data in the <see cref="RestoreReport"/>.
/// </summary>
public sealed class RestoreException : Exception
{
    /// <summary>Creates the failure of a run.</summary>
    /// <param name="kind">What class of failure it is.</param>
    /// <param name="what">What happened, as a sentence without a full stop.</param>
    /// <param name="where">The file, folder or place it happened at, or null.</param>
    /// <param name="advice">What the user can do, or null.</param>
    /// <param name="innerException">The cause, or null.</param>
    public RestoreException(RestoreErrorKind kind, string what, string? where = null, string? advice = null, Exception? innerException = null)
        : base(Compose(what, where, advice), innerException)
    {
        Kind = kind;
        What = what;
        Where = where;
        Advice = advice;
    }

    /// <summary>What class of failure it is.</summary>
    public RestoreErrorKind Kind { get; }

    /// <summary>What happened.</summary>
    public string What { get; }

    /// <summary>The file, folder or place it happened at, or null.</summary>
    public string? Where { get; }

    /// <summary>What the user can do, or null.</summary>
    public string? Advice { get; }

    private static string Compose(string what, string? where, string? advice) =>
        what + (where is null ? "" : $" ({where})") + (advice is null ? "" : $". {advice}");
}
