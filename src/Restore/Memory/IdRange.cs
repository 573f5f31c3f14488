namespace Restore.Memory;

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
