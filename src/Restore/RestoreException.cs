namespace Restore;

/// <summary>The class of a failure that ends an operation; each kind has its own exit code in the command line host.</summary>
public enum RestoreErrorKind
{
    /// <summary>A failure of no other kind.</summary>
    Failed,

    /// <summary>An option has an invalid value.</summary>
    Usage,

    /// <summary>The passphrase does not open the backup.</summary>
    WrongPassphrase,

    /// <summary>The backup, version or file does not exist.</summary>
    NotFound,

    /// <summary>The target is full or cannot be written.</summary>
    TargetNotWritable,
}

/// <summary>
/// The failure of a whole operation: code, message and place. What a user can do about it depends on the host, which can look it up by the code.
/// The failure of a single entry is data in the <see cref="RestoreReport"/>.
/// </summary>
public sealed class RestoreException : Exception
{
    // The hundreds of a code are its kind.
    private const int CodesOfKind = 100;

    /// <summary>Creates the failure of an operation.</summary>
    /// <param name="code">The code.</param>
    /// <param name="what">What happened, without a full stop.</param>
    /// <param name="where">The file, folder or place of the failure, or null.</param>
    /// <param name="innerException">The cause, or null.</param>
    public RestoreException(RestoreErrorCode code, string what, string? where = null, Exception? innerException = null)
        : base(where is null ? what : $"{what} ({where})", innerException)
    {
        Code = code;
        What = what;
        Where = where;
    }

    /// <summary>The code.</summary>
    public RestoreErrorCode Code { get; }

    /// <summary>The class of the failure.</summary>
    public RestoreErrorKind Kind => (RestoreErrorKind)((int)Code / CodesOfKind);

    /// <summary>What happened.</summary>
    public string What { get; }

    /// <summary>The file, folder or place of the failure, or null.</summary>
    public string? Where { get; }
}
