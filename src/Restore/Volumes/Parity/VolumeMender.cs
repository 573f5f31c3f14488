namespace Restore.Volumes.Parity;

/// <summary>
/// Repairs damaged and missing volumes with the parity files beside them, one at a time, into a
/// temporary folder of this machine, or reads a copy that a sync program made. What comes out is
/// verified like any volume: a parity file proves nothing. Safe for concurrent use.
/// </summary>
/// <param name="store">Reads volumes and parity files; repaired volumes are put into it.</param>
/// <param name="volumes">The volumes, with their parity files and copies.</param>
/// <param name="programPath">The program par2; null to find it.</param>
/// <param name="parentFolder">Where the temporary folder is created; null for the temporary folder
/// of the system.</param>
internal sealed class VolumeMender(
    MendedStore store,
    VolumeSet volumes,
    string? programPath,
    string? parentFolder,
    BufferPool pool
) : IDisposable
{
    private const int MaxBytes = 1 << 30;

    private readonly SemaphoreSlim turn = new(1);
    private readonly ConcurrentDictionary<string, long?> lengths = new(StringComparer.Ordinal);
    private string? folder;

    public IssueLog Issues { get; } = new();

    /// <summary>Whether there is something to mend a volume with.</summary>
    public bool CanMend => volumes.Parity.Count > 0 || volumes.Spares.Count > 0;

    /// <returns>The volume to read instead; null if there is nothing to repair it with, or nothing
    /// to repair.</returns>
    public async Task<Volume?> MendAsync(Volume volume, CancellationToken cancellationToken)
    {
        bool hasParity = volumes.Parity.TryGetValue(volume.FileName, out StoredFile file);
        if (volume.IsMended || !(hasParity || volumes.Spares.ContainsKey(volume.FileName)))
        {
            return null;
        }

        await turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (!lengths.TryGetValue(volume.FileName, out long? length))
            {
                length = hasParity ? await TryRepairAsync(volume, file, cancellationToken).ConfigureAwait(false) : null;
                length ??= TakeSpare(volume);
                lengths[volume.FileName] = length;
            }

            return Mended(volume, length);
        }
        finally
        {
            turn.Release();
        }
    }

    public IReadOnlyList<Volume> Current(IReadOnlyList<Volume> volumes)
    {
        return lengths.IsEmpty
            ? volumes
            : [.. volumes.Select(volume => Mended(volume, lengths.GetValueOrDefault(volume.FileName)) ?? volume)];
    }

    public long AddVolume(string name, Action<Stream> write)
    {
        folder ??= CreateFolder();
        string path = Path.Join(folder, name);
        using FileStream file = new(path, FileMode.CreateNew, FileAccess.ReadWrite);
        write(file);
        file.Flush();
        store.Replace(name, path);
        return file.Length;
    }

    public void Dispose()
    {
        turn.Dispose();
        try
        {
            if (folder is not null)
            {
                Directory.Delete(folder, recursive: true);
            }
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // Left behind: the system clears its temporary folder.
        }
    }

    private static Volume? Mended(Volume volume, long? length) =>
        length is long bytes ? volume with { SizeBytes = bytes, IsMissing = false, IsMended = true } : null;

    /// <returns>Length of the copy; null if the volume has no copy.</returns>
    private long? TakeSpare(Volume volume)
    {
        if (!volumes.Spares.TryGetValue(volume.FileName, out ListedVolume spare))
        {
            return null;
        }

        store.ReadInstead(volume.FileName, spare.Name.Name);
        Issues.Add(
            new RestoreIssue(
                IssueKind.Warning,
                volume.FileName,
                $"The volume is damaged or cannot be read; its copy {spare.Name.Name} is read instead"
            )
            {
                Code = IssueCode.VolumeCopyUsed,
            }
        );
        return spare.SizeBytes;
    }

    /// <returns>Length of the repaired volume; null if it was not repaired.</returns>
    private async Task<long?> TryRepairAsync(Volume volume, StoredFile file, CancellationToken cancellationToken)
    {
        if (ParityProgram.Find(programPath) is not string program)
        {
            const string Reason =
                "The volume is damaged or missing, and the program that could repair it with its parity file (par2) is not there";
            Issues.Add(
                new RestoreIssue(IssueKind.Warning, volume.FileName, Reason) { Code = IssueCode.ParityProgramMissing }
            );
            return null;
        }

        try
        {
            folder ??= CreateFolder();
            string place = Directory.CreateDirectory(Path.Join(folder, $"{lengths.Count}")).FullName;
            long? length = await RepairAsync(program, volume, file, place, cancellationToken).ConfigureAwait(false);
            if (length is null)
            {
                Directory.Delete(place, recursive: true);
                return null;
            }

            store.Replace(volume.FileName, Path.Join(place, ParitySet.DataName));
            string what = volume.IsMissing ? "missing; it was rebuilt from" : "damaged; it was repaired with";
            Issues.Add(
                new RestoreIssue(
                    IssueKind.Warning,
                    volume.FileName,
                    $"The volume is {what} its parity file, for this run only"
                )
            );
            return length;
        }
        catch (Exception failure)
            when (VolumeLoader.IsLoss(failure) || failure is RestoreException { Code: RestoreErrorCode.ProgramUnusable }
            )
        {
            string reason = $"The volume cannot be repaired with its parity file: {failure.Reason()}";
            Issues.Add(new RestoreIssue(IssueKind.Warning, volume.FileName, reason));
            return null;
        }
    }

    private async Task<long?> RepairAsync(
        string program,
        Volume volume,
        StoredFile file,
        string place,
        CancellationToken cancellationToken
    )
    {
        string set = Path.Join(place, $"{ParitySet.DataName}.par2");
        using PooledBuffer packets = await FetchAsync(file.Name, file.SizeBytes, cancellationToken)
            .ConfigureAwait(false);
        long length = ParitySet.LengthOfData(packets.Span);
        if (length > MaxBytes || length > Math.Max(0, volume.SizeBytes) + packets.Length)
        {
            throw new InvalidDataException(
                $"It describes a volume of {length:N0} bytes, which is more than can be repaired"
            );
        }

        using PooledBuffer? damaged = await FetchDamagedAsync(volume, cancellationToken).ConfigureAwait(false);
        string data = Path.Join(place, ParitySet.DataName);
        await WriteAsync(set, packets.Memory, cancellationToken).ConfigureAwait(false);
        if (damaged is not null)
        {
            await WriteAsync(data, damaged.Memory, cancellationToken).ConfigureAwait(false);
        }

        if (
            await ParityProgram.RepairAsync(program, place, length, cancellationToken).ConfigureAwait(false)
            is string problem
        )
        {
            throw new InvalidDataException(problem);
        }

        File.Delete(set);
        return
            new FileInfo(data) is { Exists: true, LinkTarget: null } repaired
            && repaired.Length == length
            && !Same(damaged, data)
            ? length
            : null;
    }

    private static async Task WriteAsync(string path, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        try
        {
            await File.WriteAllBytesAsync(path, content, cancellationToken).ConfigureAwait(false);
        }
        catch (ArgumentOutOfRangeException failure)
        {
            throw WriteFailure.TooLarge(failure);
        }
    }

    private static bool Same(PooledBuffer? before, string path)
    {
        using FileStream after = File.OpenRead(path);
        if (after.Length != before?.Length)
        {
            return false;
        }

        byte[] part = new byte[1 << 16];
        for (int at = 0, count; (count = after.Read(part)) > 0; at += count)
        {
            if (!part.AsSpan(0, count).SequenceEqual(before.Span.Slice(at, count)))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>What the store has of the volume; null for nothing.</summary>
    private async Task<PooledBuffer?> FetchDamagedAsync(Volume volume, CancellationToken cancellationToken)
    {
        try
        {
            return volume.SizeBytes > 0
                ? await FetchAsync(volume.FileName, volume.SizeBytes, cancellationToken).ConfigureAwait(false)
                : null;
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            return null;
        }
    }

    private async Task<PooledBuffer> FetchAsync(string name, long sizeBytes, CancellationToken cancellationToken)
    {
        if (sizeBytes is <= 0 or > MaxBytes)
        {
            throw new InvalidDataException($"{name} is {sizeBytes:N0} bytes long; at most {MaxBytes:N0} can be used");
        }

        using PooledBuffer buffer = pool.Rent((int)sizeBytes);
        buffer.Truncate(await store.ReadAsync(name, 0, buffer.Memory, cancellationToken).ConfigureAwait(false));
        return buffer.Keep();
    }

    private string CreateFolder() => PrivateFolder.Create("restore-parity-", parentFolder).FullName;
}
