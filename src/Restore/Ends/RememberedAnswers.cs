namespace Restore.Ends;

/// <summary>
/// What the system says about a name, which it is asked for once, because the answer can come from
/// a server. Names come from the backup: a hostile one may have a new name in every entry, so the
/// number of answers is limited. Safe for concurrent use.
/// </summary>
internal sealed class RememberedAnswers<T>(Func<string, T> ask)
{
    private const int MostAnswers = 4096;

    private readonly ConcurrentDictionary<string, T> known = new(StringComparer.Ordinal);

    public T Of(string name)
    {
        if (known.TryGetValue(name, out T? answer))
        {
            return answer;
        }

        answer = ask(name);
        if (known.Count < MostAnswers)
        {
            known[name] = answer;
        }

        return answer;
    }
}
