namespace Restore.Cli.Mount;

/// <summary>Passes each sentence on once. A mount can live for weeks, and a damaged backup has many: the first hundred are enough to know.</summary>
internal sealed class FewWarnings(Action<string> write)
{
    private const int Most = 100;

    private readonly HashSet<string> known = [];
    private readonly Lock gate = new();

    public void Add(string sentence)
    {
        lock (gate)
        {
            if (known.Count > Most || !known.Add(sentence))
            {
                return;
            }

            write(known.Count <= Most ? sentence : "There are more problems like these; 'restore verify' lists all of them");
        }
    }
}
