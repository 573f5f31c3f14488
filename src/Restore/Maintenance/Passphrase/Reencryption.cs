using Restore.Catalog.Locating;
using Restore.Maintenance.Purge;
using Restore.Writing;
using Restore.Writing.Messages;

namespace Restore.Maintenance.Passphrase;

/// <summary>
/// Writes the successor of one volume: the same archive, byte by byte, encrypted with another
/// passphrase, under a name that no other volume has.
/// </summary>
/// <param name="context">The backup.</param>
/// <param name="references">The blocks of the backup; says which are blocklists.</param>
/// <param name="headers">The volumes that have the new passphrase already.</param>
/// <param name="work">Writes and deletes volumes.</param>
/// <param name="newPassphrase">The new passphrase.</param>
/// <param name="cancellationToken">Cancels it.</param>
internal sealed class Reencryption(
    MaintenanceContext context,
    ReferencedBlocks references,
    VolumePassphrases headers,
    VolumeReplacement work,
    string newPassphrase,
    CancellationToken cancellationToken
)
{
    private readonly VolumeSealer sealer = new(
        (context with { Passphrase = newPassphrase }).SettingsOf(references.Layout, isEncrypted: true),
        context.Loader.Pool,
        context.Time.GetUtcNow()
    );

    private readonly HashSet<DateTimeOffset> taken = [.. context.Volumes.FileLists.Select(list => list.Name.Time)];

    /// <summary>
    /// Writes the successor of a block volume, and a new index volume that describes it.
    /// </summary>
    /// <param name="volume">The volume.</param>
    /// <param name="isDescribed">Whether an index volume describes a block volume.</param>
    public Task ChangeBlocksAsync(Volume volume, Predicate<VolumeId> isDescribed) =>
        ChangeAsync(volume, (loaded, name) => PutBlocksAsync(volume, loaded, name), isDescribed, sealer.NewBlockName);

    /// <summary>Writes the successor of an index volume.</summary>
    public Task ChangeIndexAsync(Volume volume) => ChangeAsync(volume, PutIndexAsync, _ => true, sealer.NewIndexName);

    /// <summary>Writes the successor of a file list, which has the next free second.</summary>
    /// <exception cref="InvalidDataException">The list is damaged, or there is no free
    /// second.</exception>
    public async Task ChangeListAsync(Volume list)
    {
        using LoadedVolume loaded = await context.Loader.LoadAsync(list, cancellationToken).ConfigureAwait(false);
        loaded.RequireIntact();
        IEnumerable<Volume> near = context.Volumes.FileLists.Where(other =>
            headers.IsChanged(other) && (other.Name.Time - list.Name.Time).Duration() <= PurgeWork.LongestShift
        );

        // An interrupted run may have written the new list already. The name of a list has only a
        // time, so the content shows which list it came from.
        foreach (Volume earlier in near)
        {
            if (await IsSameAsync(earlier, loaded).ConfigureAwait(false))
            {
                return;
            }
        }

        List<DateTimeOffset> times = PurgeWork.FreeTimes(list.Name.Time, taken);
        if (times.Count == 0)
        {
            throw new InvalidDataException(PurgeWork.NoFreeTime);
        }

        using PooledBuffer content = Encrypt(loaded);
        string name = await work.PutAsync(NameOf, content.Memory).ConfigureAwait(false);
        taken.Add(VolumeName.TryParse(name, out VolumeName parsed) ? parsed.Time : times[0]);

        string NameOf(int trial) =>
            VolumeName.FormatFileList(
                context.Volumes.Prefix,
                times[Math.Min(trial, times.Count - 1)],
                ArchiveKind.Zip,
                EncryptionKind.Aes
            );
    }

    private async Task ChangeAsync(
        Volume volume,
        Func<LoadedVolume, string, Task> putAsync,
        Predicate<VolumeId> isUsable,
        Func<string> newName
    )
    {
        using LoadedVolume loaded = await context.Loader.LoadAsync(volume, cancellationToken).ConfigureAwait(false);
        loaded.RequireIntact();
        string name = SuccessorName.Of(volume.FileName)!;
        if (context.Volumes.Find(name) is not { IsMissing: false } earlier)
        {
            await putAsync(loaded, name).ConfigureAwait(false);
        }
        else if (
            !headers.IsChanged(earlier)
            || !isUsable(earlier.Id)
            || !await IsSameAsync(earlier, loaded).ConfigureAwait(false)
        )
        {
            // An interrupted run wrote a part of it.
            await putAsync(loaded, newName()).ConfigureAwait(false);
            await work.ReplaceAsync(earlier).ConfigureAwait(false);
        }
    }

    private async Task PutBlocksAsync(Volume volume, LoadedVolume loaded, string name)
    {
        BlockLayout layout = references.Layout;
        VolumeBlocks blocks = new(context.Loader, layout, context.MaxBlockBytes);
        IndexedVolume read = blocks.Read(volume, loaded, [], references.IsBlocklist);
        using PooledBuffer content = Encrypt(loaded);
        IndexedVolume indexed = read with
        {
            Name = name,
            Hash = layout.FileHash.HashData(content.Span),
            SizeBytes = content.Length,
        };
        using VolumeEncrypted made = new(new NamedVolume(name, content.Keep()), sealer.SealIndex(indexed), indexed);
        await sealer.PutAsync(made, work.PutAsync).ConfigureAwait(false);
    }

    private async Task PutIndexAsync(LoadedVolume loaded, string name)
    {
        using PooledBuffer content = Encrypt(loaded);
        await work.PutAsync(trial => trial == 0 ? name : sealer.NewIndexName(), content.Memory).ConfigureAwait(false);
    }

    /// <summary>Whether a volume that an interrupted run wrote has the same archive.</summary>
    private async Task<bool> IsSameAsync(Volume made, LoadedVolume old)
    {
        try
        {
            using LoadedVolume loaded = await context.Loader.LoadAsync(made, cancellationToken).ConfigureAwait(false);
            return loaded.IsIntact && loaded.Plain.Span.SequenceEqual(old.Plain.Span);
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            return false;
        }
    }

    private PooledBuffer Encrypt(LoadedVolume loaded)
    {
        ReadOnlySpan<byte> plain = loaded.Plain.Span;
        using PooledBuffer content = context.Loader.Pool.Rent(AesCryptEncryptor.EncryptedLength(plain.Length));
        AesCryptEncryptor.Encrypt(plain, content.Span, newPassphrase);
        return content.Keep();
    }
}
