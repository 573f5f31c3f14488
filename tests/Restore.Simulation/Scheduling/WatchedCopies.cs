namespace Restore;

/// <summary>The copies of the framework, as collections that find data races.</summary>
internal static class WatchedCopies
{
    public static WatchedList<T> ToList<T>(this IEnumerable<T> items) => new(items);

    public static WatchedSet<T> ToHashSet<T>(this IEnumerable<T> items, IEqualityComparer<T>? comparer = null) =>
        new(items, comparer);

    public static WatchedDictionary<TKey, TValue> ToDictionary<TKey, TValue>(
        this IEnumerable<KeyValuePair<TKey, TValue>> pairs,
        IEqualityComparer<TKey>? comparer = null
    )
        where TKey : notnull => new(pairs, comparer);

    public static WatchedDictionary<TKey, T> ToDictionary<T, TKey>(
        this IEnumerable<T> items,
        Func<T, TKey> key,
        IEqualityComparer<TKey>? comparer = null
    )
        where TKey : notnull => new(Enumerable.ToDictionary(items, key, comparer), comparer);

    public static WatchedDictionary<TKey, TValue> ToDictionary<T, TKey, TValue>(
        this IEnumerable<T> items,
        Func<T, TKey> key,
        Func<T, TValue> value,
        IEqualityComparer<TKey>? comparer = null
    )
        where TKey : notnull => new(Enumerable.ToDictionary(items, key, value, comparer), comparer);
}
