namespace Restore.Tests.Faults;

/// <summary>
/// What goes wrong with the n-th call to a store. What passes comes first: a retry mends it.
/// </summary>
public enum StoreTrouble
{
    /// <summary>The call fails once.</summary>
    Busy,

    /// <summary>The call gets no answer in time, once.</summary>
    NoAnswer,

    /// <summary>The transfer breaks in its middle, once.</summary>
    BreaksOff,

    /// <summary>This call and all that follow get no answer.</summary>
    Gone,

    /// <summary>This call and all that follow for the same file find no file.</summary>
    Vanished,

    /// <summary>The store refuses the file.</summary>
    Refused,

    /// <summary>The read ends early, as if the file did.</summary>
    EndsEarly,

    /// <summary>The read gives one wrong byte.</summary>
    WrongByte,

    /// <summary>The read gives bytes of another place.</summary>
    WrongPlace,

    /// <summary>The listing gives a smaller size for the n-th file.</summary>
    ListedSmaller,

    /// <summary>The listing gives a size beyond any disk for the n-th file.</summary>
    ListedHuge,

    /// <summary>The file became shorter after it was listed.</summary>
    ChangedToShorter,

    /// <summary>The file has another content of the same length since it was listed.</summary>
    ChangedContent,
}
