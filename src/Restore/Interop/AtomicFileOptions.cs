namespace Restore.Interop;

[Flags]
internal enum AtomicFileOptions
{
    None = 0,

    /// <summary>
    /// Replaces a file of the same name. Without this option, the name must be free.
    /// </summary>
    Replaces = 1,

    /// <summary>Only the owner may read it. Without this the mask of the process decides.</summary>
    Private = 2,

    /// <summary>
    /// Nothing is flushed: what a power failure leaves is recognized by its content.
    /// </summary>
    Unflushed = 4,

    /// <summary>It has a path while it is written, because other code opens it by that.</summary>
    Named = 8,
}
