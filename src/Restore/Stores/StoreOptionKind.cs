namespace Restore.Stores;

/// <summary>The type of the value of a <see cref="StoreOption"/>.</summary>
public enum StoreOptionKind
{
    /// <summary>A text.</summary>
    Text,

    /// <summary>True or false; on if given without a value.</summary>
    Switch,

    /// <summary>A whole number, 0 or more.</summary>
    Number,

    /// <summary>A time span: <c>10s</c>, <c>1m30s</c>, <c>0:00:10</c>.</summary>
    Duration,

    /// <summary>A number of bytes: <c>500kb</c>, <c>10mb</c>.</summary>
    Size,
}
