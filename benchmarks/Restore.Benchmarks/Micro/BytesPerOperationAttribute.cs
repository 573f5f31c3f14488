namespace Restore.Benchmarks.Micro;

/// <summary>How many bytes one operation of a benchmark works through, for the column MB/s.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BytesPerOperationAttribute(long bytes) : Attribute
{
    /// <summary>The bytes.</summary>
    public long Bytes { get; } = bytes;
}
