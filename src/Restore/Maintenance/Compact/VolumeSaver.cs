using Restore.Writing;
using Restore.Writing.Messages;

namespace Restore.Maintenance.Compact;

/// <summary>
/// Encrypts new block volumes and puts them into the store, each followed by the index volume that
/// describes it.
/// </summary>
internal sealed class VolumeSaver(WriterSettings settings, BufferPool pool, DateTimeOffset created, RetryingSink sink)
{
    private readonly VolumeSealer sealer = new(settings, pool, created);
    private readonly ConcurrentBag<StoredFile> saved = [];
    private readonly ConcurrentDictionary<string, bool> named = new(StringComparer.Ordinal);
    private int volumes;

    public IReadOnlyCollection<StoredFile> Saved => saved;

    public int Volumes => volumes;

    public async Task RunAsync(IReadChannelEnd<VolumeBuilt> input, CancellationToken cancellationToken)
    {
        await foreach (VolumeBuilt built in input.ReadAllAsync().ConfigureAwait(false))
        {
            await SaveAsync(built, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Saves one volume, which this takes over.</summary>
    public async Task SaveAsync(VolumeBuilt built, CancellationToken cancellationToken)
    {
        using VolumeBuilt owned = built;
        using VolumeEncrypted volume = sealer.Seal(built);
        await sealer
            .PutAsync(volume, (nameOfTry, content) => PutAsync(nameOfTry, content, cancellationToken))
            .ConfigureAwait(false);
        Interlocked.Increment(ref volumes);
    }

    /// <summary>
    /// The names of all volumes that were put, or that a failed try may have left: what it left
    /// does no harm.
    /// </summary>
    public IEnumerable<string> Named => named.Keys;

    public bool HasNamed(string name) => named.ContainsKey(name);

    private async Task<string> PutAsync(
        Func<int, string> nameOfTry,
        ReadOnlyMemory<byte> content,
        CancellationToken cancellationToken
    )
    {
        string put = await sink.PutAsync(NewName, content, cancellationToken).ConfigureAwait(false);
        saved.Add(new StoredFile(put, content.Length));
        return put;

        string NewName(int trial)
        {
            string name = nameOfTry(trial);
            named[name] = true;
            return name;
        }
    }
}
