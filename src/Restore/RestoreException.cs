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
/// The failure of a whole run: which one, what happened, and where. What a user can do about it depends on the host, which has the code to go by.
/// The failure of a single entry is data in the <see cref="RestoreReport"/>.
/// </summary>
public sealed class RestoreException : Exception
{
    // The hundreds of a code are its kind.
    private const int CodesOfKind = 100;

    /// <summary>Creates the failure of a run.</summary>
    /// <param name="code">Which failure it is.</param>
    /// <param name="what">What happened, as a sentence without a full stop.</param>
    /// <param name="where">The file, folder or place it happened at, or null.</param>
    /// <param name="innerException">The cause, or null.</param>
    public RestoreException(RestoreErrorCode code, string what, string? where = null, Exception? innerException = null)
        : base(where is null ? what : $"{what} ({where})", innerException)
    {
        Code = code;
        What = what;
        Where = where;
    }

    /// <summary>Which failure it is.</summary>
    public RestoreErrorCode Code { get; }

    /// <summary>What class of failure it is.</summary>
    public RestoreErrorKind Kind => (RestoreErrorKind)((int)Code / CodesOfKind);

    /// <summary>What happened.</summary>
    public string What { get; }

    /// <summary>The file, folder or place it happened at, or null.</summary>
    public string? Where { get; }
}
