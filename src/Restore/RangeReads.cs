namespace Restore;

/// <summary>Whether parts of a volume are read instead of the whole.</summary>
public enum RangeReads
{
    /// <summary>Where that is cheaper, by the bytes saved against the further requests.</summary>
    Auto,

    /// <summary>Every volume is read whole, and its authentication code is checked.</summary>
    Never,

    /// <summary>Wherever the store and the format of the volume allow it.</summary>
    Always,
}
