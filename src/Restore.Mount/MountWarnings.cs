namespace Restore.Mount;

/// <summary>
/// The log of a mount: passes each sentence on once. A mount can live for weeks, and a damaged
/// backup has many: the first hundred are enough to know.
/// </summary>
internal sealed class MountWarnings(Action<string> write)
{
    private const int Most = 100;

    private readonly HashSet<string> known = [];
    private readonly Lock gate = new();

    /// <summary>
    /// Makes one sentence for a lost volume, however many entries need it. Null if the loss has
    /// another cause than a lost volume.
    /// </summary>
    public static string? OfLoss(BackupTree tree, TreeId entry) =>
        tree.LostVolumeOf(entry) is { } volume
            ? $"{volume} is missing or damaged: what only it has cannot be read here. 'restore affected' lists the entries"
            : null;

    public void Add(string sentence)
    {
        lock (gate)
        {
            if (known.Count > Most || !known.Add(sentence))
            {
                return;
            }

            write(
                known.Count <= Most
                    ? sentence
                    : "There are more problems like these; 'restore verify' lists all of them"
            );
        }
    }
}
