namespace Restore.Benchmarks.Micro;

/// <summary>The bytes that one operation of a benchmark processes, for the column MB/s.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BytesPerOperationAttribute(long bytes) : Attribute
{
    /// <summary>The bytes.</summary>
    public long Bytes { get; } = bytes;
}
