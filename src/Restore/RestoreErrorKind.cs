namespace Restore;

/// <summary>
/// The class of a failure that ends an operation; each kind has its own exit code in the command
/// line host.
/// </summary>
public enum RestoreErrorKind
{
    /// <summary>A failure that has no other kind.</summary>
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
