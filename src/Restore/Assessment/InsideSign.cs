namespace Restore.Assessment;

/// <summary>What the content of a changed file shows, compared with its content before.</summary>
internal enum InsideSign
{
    /// <summary>Nothing, or it cannot be said.</summary>
    None,

    /// <summary>It does not begin as its type does any more.</summary>
    OtherBeginning,

    /// <summary>Random bytes are where others were.</summary>
    Random,
}
