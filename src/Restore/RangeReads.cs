namespace Restore;

/// <summary>Whether parts of a volume are read instead of the whole.</summary>
public enum RangeReads
{
    /// <summary>
    /// Where that is cheaper: the saved bytes compared with the additional requests.
    /// </summary>
    Auto,

    /// <summary>Every volume is read whole, and its authentication code is checked.</summary>
    Never,

    /// <summary>Wherever the store and the format of the volume allow it.</summary>
    Always,
}
