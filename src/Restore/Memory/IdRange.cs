namespace Restore.Memory;

/// <summary>The number of an item of a table as a type of its own: costs nothing at run time, and the compiler rejects the number of another table.</summary>
internal interface IId<TSelf>
    where TSelf : struct, IId<TSelf>
{
    static abstract TSelf Of(int value);
}

/// <summary>The first ids of a table, in order. Enumerating allocates nothing.</summary>
internal readonly struct IdRange<TId>(int count)
    where TId : struct, IId<TId>
{
    public Enumerator GetEnumerator() => new(count);

    /// <summary>The same as a sequence, for queries.</summary>
    public IEnumerable<TId> AsEnumerable() => Enumerable.Range(0, count).Select(TId.Of);

    internal struct Enumerator(int count)
    {
        private int next = -1;

        public readonly TId Current => TId.Of(next);

        public bool MoveNext() => ++next < count;
    }
}
