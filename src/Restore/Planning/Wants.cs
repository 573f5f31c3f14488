namespace Restore.Planning;

/// <summary>The places that need one block.</summary>
internal readonly ref struct Wants
{
    private readonly ReadOnlySpan<Want> several;
    private readonly Want alone;

    public Wants(Want alone)
    {
        this.alone = alone;
        Count = 1;
    }

    public Wants(ReadOnlySpan<Want> several)
    {
        this.several = several;
        Count = several.Length;
    }

    public int Count { get; }

    public Want this[int index] => several.IsEmpty ? alone : several[index];
}
