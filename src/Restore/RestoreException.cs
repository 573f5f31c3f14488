namespace Restore;

/// <summary>
/// The failure of a whole operation: code, message and place. What a user can do about it depends
/// on the host, which can look it up by the code. The failure of a single entry is data in the
/// <see cref="RestoreReport"/>.
/// </summary>
public sealed class RestoreException : Exception
{
    /// <summary>Creates the failure of an operation.</summary>
    /// <param name="code">One of <see cref="RestoreErrorCode"/>, or a code of your own.</param>
    /// <param name="what">What happened, without a full stop.</param>
    /// <param name="where">The file, folder or place of the failure, or null.</param>
    /// <param name="innerException">The cause, or null.</param>
    public RestoreException(string code, string what, string? where = null, Exception? innerException = null)
        : base(where is null ? what : $"{what} ({where})", innerException)
    {
        ArgumentException.ThrowIfNullOrEmpty(code);
        Code = code;
        What = what;
        Where = where;
    }

    /// <summary>
    /// What failed, for programs: one of <see cref="RestoreErrorCode"/>, or a code from a store in
    /// another package.
    /// </summary>
    public string Code { get; }

    /// <summary>The class of the failure.</summary>
    public RestoreErrorKind Kind => ErrorKinds.Of(Code);

    /// <summary>What happened.</summary>
    public string What { get; }

    /// <summary>The file, folder or place of the failure, or null.</summary>
    public string? Where { get; }
}
