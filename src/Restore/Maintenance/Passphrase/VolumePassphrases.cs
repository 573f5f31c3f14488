namespace Restore.Maintenance.Passphrase;

/// <summary>Which volumes of a backup have the new passphrase already, by their headers.</summary>
internal sealed class VolumePassphrases
{
    // The header of a volume of any writer is much shorter.
    private const int HeaderBytes = 1024;
    private const int Requests = 4;

    private readonly ConcurrentDictionary<VolumeId, bool> changed = [];
    private int opened;
    private int refused;
    private int refusedLists;

    public int Changed => changed.Count;

    public bool IsChanged(Volume volume) => changed.ContainsKey(volume.Id);

    /// <summary>Reads the headers.</summary>
    /// <param name="context">The backup.</param>
    /// <param name="other">The index of the new passphrase in the other passphrases of the
    /// backup.</param>
    /// <param name="progress">Counts the volumes.</param>
    /// <param name="cancellationToken">Cancels it.</param>
    /// <exception cref="RestoreException">The former passphrase opens no volume, although there
    /// are volumes that the new one does not open.</exception>
    public static async Task<VolumePassphrases> ReadAsync(
        MaintenanceContext context,
        int other,
        ProgressMeter progress,
        CancellationToken cancellationToken
    )
    {
        VolumePassphrases found = new();
        Volume[] volumes = [.. context.Volumes.All.Where(volume => !volume.IsMissing)];
        progress.Begin(RestorePhase.LocatingBlocks, volumes: volumes.Length);
        ParallelOptions parallel = new() { MaxDegreeOfParallelism = Requests, CancellationToken = cancellationToken };
        await Parallel
            .ForEachAsync(
                volumes,
                parallel,
                async (volume, token) =>
                {
                    await found.ReadAsync(context.Loader, volume, other, token).ConfigureAwait(false);
                    progress.VolumeDone();
                    progress.Report();
                }
            )
            .ConfigureAwait(false);

        // A damaged header may remain after an earlier change. A list that does not open shows a
        // wrong passphrase.
        bool isWrong = found.opened == 0 && found.refused > 0 && (found.Changed == 0 || found.refusedLists > 0);
        return !isWrong
            ? found
            : throw new RestoreException(
                RestoreErrorCode.WrongPassphrase,
                "The former passphrase opens no volume of the backup, so nothing was changed",
                context.Location
            );
    }

    private async Task ReadAsync(VolumeLoader loader, Volume volume, int other, CancellationToken cancellationToken)
    {
        try
        {
            using PooledBuffer header = loader.Pool.Rent((int)Math.Min(HeaderBytes, volume.SizeBytes));
            int read = await loader
                .Store.ReadAsync(volume.FileName, 0, header.OwnedMemory, cancellationToken)
                .ConfigureAwait(false);
            header.Truncate(read);
            using AesCryptSession session = await loader
                .OpenSessionAsync(header.Memory, cancellationToken)
                .ConfigureAwait(false);
            if (session.OtherPassphrase == other)
            {
                changed[volume.Id] = true;
            }
            else
            {
                Interlocked.Increment(ref opened);
            }
        }
        catch (PassphraseException)
        {
            Interlocked.Increment(ref refused);
            Interlocked.Add(ref refusedLists, volume.Name.Kind == VolumeKind.FileList ? 1 : 0);
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            // What is wrong with the volume shows when it is changed.
        }
    }
}
