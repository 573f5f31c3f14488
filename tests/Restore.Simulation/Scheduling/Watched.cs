namespace Restore;

/// <summary>A list that finds data races.</summary>
internal class WatchedList<T> : List<T>
{
    private Use use;

    public WatchedList() { }

    public WatchedList(int capacity)
        : base(capacity) { }

    public WatchedList(IEnumerable<T> items)
        : base(items) { }

    public new T this[int index]
    {
        get
        {
            using Use.Turn turn = Use.Look(ref use, this);
            return base[index];
        }
        set
        {
            using Use.Turn turn = Use.Change(ref use, this);
            base[index] = value;
        }
    }

    public new void Add(T item)
    {
        using Use.Turn turn = Use.Change(ref use, this);
        base.Add(item);
    }

    public new void AddRange(IEnumerable<T> items)
    {
        using Use.Turn turn = Use.Change(ref use, this);
        base.AddRange(items);
    }

    public new void Clear()
    {
        using Use.Turn turn = Use.Change(ref use, this);
        base.Clear();
    }

    public new WatchedList<T> Slice(int start, int length) => new(base.Slice(start, length));

    public new WatchedList<T> FindAll(Predicate<T> match) => new(base.FindAll(match));

    public new WatchedList<TOther> ConvertAll<TOther>(Converter<T, TOther> convert) => new(base.ConvertAll(convert));
}

/// <summary>A set that finds data races.</summary>
internal class WatchedSet<T> : HashSet<T>
{
    private Use use;

    public WatchedSet() { }

    public WatchedSet(IEqualityComparer<T>? comparer)
        : base(comparer) { }

    public WatchedSet(IEnumerable<T> items, IEqualityComparer<T>? comparer = null)
        : base(items, comparer) { }

    public new bool Add(T item)
    {
        using Use.Turn turn = Use.Change(ref use, this);
        return base.Add(item);
    }

    public new bool Remove(T item)
    {
        using Use.Turn turn = Use.Change(ref use, this);
        return base.Remove(item);
    }

    public new bool Contains(T item)
    {
        using Use.Turn turn = Use.Look(ref use, this);
        return base.Contains(item);
    }
}

/// <summary>A dictionary that finds data races.</summary>
internal class WatchedDictionary<TKey, TValue> : Dictionary<TKey, TValue>
    where TKey : notnull
{
    private Use use;

    public WatchedDictionary() { }

    public WatchedDictionary(int capacity)
        : base(capacity) { }

    public WatchedDictionary(IEqualityComparer<TKey>? comparer)
        : base(comparer) { }

    public WatchedDictionary(IEnumerable<KeyValuePair<TKey, TValue>> pairs, IEqualityComparer<TKey>? comparer = null)
        : base(pairs, comparer) { }

    public new TValue this[TKey key]
    {
        get
        {
            using Use.Turn turn = Use.Look(ref use, this);
            return base[key];
        }
        set
        {
            using Use.Turn turn = Use.Change(ref use, this);
            base[key] = value;
        }
    }

    public new void Add(TKey key, TValue value)
    {
        using Use.Turn turn = Use.Change(ref use, this);
        base.Add(key, value);
    }

    public new bool TryAdd(TKey key, TValue value)
    {
        using Use.Turn turn = Use.Change(ref use, this);
        return base.TryAdd(key, value);
    }

    public new bool Remove(TKey key)
    {
        using Use.Turn turn = Use.Change(ref use, this);
        return base.Remove(key);
    }

    public new bool Remove(TKey key, out TValue value)
    {
        using Use.Turn turn = Use.Change(ref use, this);
        return base.Remove(key, out value!);
    }

    public new bool ContainsKey(TKey key)
    {
        using Use.Turn turn = Use.Look(ref use, this);
        return base.ContainsKey(key);
    }

    public new bool TryGetValue(TKey key, [System.Diagnostics.CodeAnalysis.MaybeNullWhen(false)] out TValue value)
    {
        using Use.Turn turn = Use.Look(ref use, this);
        return base.TryGetValue(key, out value);
    }
}
