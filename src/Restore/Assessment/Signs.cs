namespace Restore.Assessment;

/// <summary>
/// What one file shows that accidents and malware leave behind. One file proves nothing: only many
/// do.
/// </summary>
[Flags]
internal enum Signs : ushort
{
    None = 0,

    /// <summary>Gone: neither its content nor a file of its name is in the newer version.</summary>
    Vanished = 1 << 0,

    /// <summary>
    /// Its name got another extension that no other file had, and its content is another one.
    /// </summary>
    NewExtension = 1 << 1,

    /// <summary>Gone, and a new file of nearly its size is in its folder.</summary>
    RandomName = 1 << 2,

    /// <summary>New content of the same size, or longer by the same few bytes as others.</summary>
    SameGrowth = 1 << 3,

    /// <summary>
    /// New content that is longer by some bytes, as with a header of varying length.
    /// </summary>
    SmallGrowth = 1 << 4,

    /// <summary>Without content now.</summary>
    Emptied = 1 << 5,

    /// <summary>
    /// The same content as other files now, or one size that many files have now.
    /// </summary>
    Alike = 1 << 6,

    /// <summary>Shorter by a tenth or more.</summary>
    Shrunk = 1 << 7,

    /// <summary>
    /// A name that a program for synchronization gives to one of two versions of a file.
    /// </summary>
    ConflictCopy = 1 << 8,

    /// <summary>
    /// New content of a type that people keep and rarely change: pictures, films, music, documents.
    /// </summary>
    KeptType = 1 << 9,

    /// <summary>The same time as many other files, and the same content as before.</summary>
    OneTime = 1 << 10,

    /// <summary>The same small new file as in other folders.</summary>
    Note = 1 << 11,

    /// <summary>
    /// Any change of content: says nothing alone, but after an attack nothing that changed can be
    /// trusted.
    /// </summary>
    AnyChange = 1 << 12,

    /// <summary>Any file that is gone without its content being elsewhere.</summary>
    AnyLoss = 1 << 13,

    /// <summary>A new file with the extension or the kind of name that the attack gives.</summary>
    Replacement = 1 << 14,

    /// <summary>Shorter by any number of bytes.</summary>
    Shorter = 1 << 15,
}
