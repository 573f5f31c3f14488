namespace Restore.Targets;

/// <summary>What is at a path, without following a link.</summary>
/// <param name="ModifiedTicks">Last-modified time in UTC ticks.</param>
internal readonly record struct TargetStatus(TargetKind Kind, long SizeBytes, long ModifiedTicks, int LinkCount)
{
    /// <summary>
    /// A number that another file, or a change that keeps the time, does not have; 0 where the
    /// system has none.
    /// </summary>
    public long Identity { get; init; }

    /// <summary>The number of its file system; 0 where that is not known.</summary>
    public ulong FileSystem { get; init; }

    /// <summary>
    /// The number of the mount that leads to it: behind a mount point it is another one than before
    /// it. 0 where that is not known.
    /// </summary>
    public ulong Mount { get; init; }

    /// <summary>
    /// Its number in its file system, by whichever path it is reached; 0 where that is not known.
    /// </summary>
    public ulong Number { get; init; }

    /// <summary>The number of its owner; null where that is not known.</summary>
    public uint? Owner { get; init; }

    /// <summary>Whether its owner is root or the user of this process.</summary>
    public bool IsTrusted { get; init; }

    /// <summary>
    /// A number by which a later look sees whether the file was changed; never 0.
    /// </summary>
    public long Stamp => (((((SizeBytes * Factor) + ModifiedTicks) * Factor) + Identity) * Factor) | 1;

    // Of a generator of random numbers: it spreads each bit.
    private const long Factor = 0x5851_F42D_4C95_7F2D;
}
