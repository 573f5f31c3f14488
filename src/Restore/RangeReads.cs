namespace Restore;

/// <summary>Whether parts of a volume are read instead of the whole.</summary>
public enum RangeReads
{
    /// <summary>
    /// Parts are read where that is cheaper, by comparing the saved bytes with the additional
    /// requests.
    /// </summary>
    Auto,

    /// <summary>Every volume is read whole, and its authentication code is checked.</summary>
    Never,

    /// <summary>Parts are read wherever the store and the format of the volume allow it.</summary>
    Always,
}
