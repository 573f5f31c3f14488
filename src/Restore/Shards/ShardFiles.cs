namespace Restore.Shards;

/// <summary>
/// The files beside a plan that say what happened to its parts, in a folder with the name of the
/// plan. Each file is written under a temporary name and renamed when it is whole: other machines
/// see all of it or nothing. A hash in its first line shows whether a device or a network lost a
/// part.
/// </summary>
internal sealed class ShardFiles(string planFile, string planId)
{
    private const int HashChars = 64;

    private readonly HeldFiles held = new();

    public string Folder { get; } = Path.GetFullPath(planFile) + ".shards";

    public string PlanId => planId;

    /// <summary>Takes the lease on a shard, and waits while another process has it.</summary>
    /// <param name="shard">The number of the shard; 0 for the last step.</param>
    /// <returns>The lease; null if the shard or step is done.</returns>
    public async Task<ShardLease?> TakeLeaseAsync(
        int shard,
        LeaseTiming timing,
        Func<bool> isDone,
        ProgressMeter progress,
        TimeProvider time,
        CancellationToken cancellationToken
    )
    {
        bool isWaiting = false;
        try
        {
            return await ShardLease
                .TakeAsync(LeaseOf(shard), timing, isDone, Wait, time, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw NotWritable(Folder, failure);
        }

        void Wait()
        {
            if (!isWaiting)
            {
                progress.Begin(RestorePhase.WaitingForShard);
                isWaiting = true;
            }
        }
    }

    /// <summary>The record of a part; null if the part has no record.</summary>
    /// <exception cref="RestoreException">It is damaged, cannot be read, or is one of another plan
    /// or of another number of parts.</exception>
    public ShardRecord? Read(int shard, int count) =>
        Read(shard) is not { } record ? null
        : record.Shards == count ? record
        : throw new RestoreException(
            RestoreErrorCode.ShardCountWrong,
            $"Shard {shard} was restored as one of {record.Shards} shards, not of {count}",
            Folder
        );

    /// <summary>The number of parts that the first record says; null without a record.</summary>
    /// <exception cref="RestoreException">The record is damaged, cannot be read, or is one of
    /// another plan.</exception>
    public int? CountOfRecords()
    {
        try
        {
            IEnumerable<int> shards = Directory
                .EnumerateFiles(Folder, "*.done")
                .Select(path =>
                    int.TryParse(Path.GetFileNameWithoutExtension(path), CultureInfo.InvariantCulture, out int shard)
                        ? shard
                        : 0
                );
            return shards.Where(shard => shard > 0).Order().Select(shard => Read(shard)).FirstOrDefault()?.Shards;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private ShardRecord? Read(int shard)
    {
        string path = RecordOf(shard);
        try
        {
            SpecialFile.RefuseAt(path);
            byte[] bytes = File.ReadAllBytes(path);
            bool isWhole =
                bytes.Length > HashChars + 1
                && HashOf(bytes.AsSpan(HashChars + 1)).AsSpan().SequenceEqual(bytes.AsSpan(0, HashChars));
            ShardRecord record = isWhole
                ? JsonSerializer.Deserialize(bytes.AsSpan(HashChars + 1), ShardRecordContext.Default.ShardRecord)!
                : throw new InvalidDataException("its hash is wrong");
            return record.Shard != shard ? throw new InvalidDataException($"it is that of shard {record.Shard}")
                : record.Plan != planId
                    ? throw new RestoreException(
                        RestoreErrorCode.ShardPlanOther,
                        $"The record of shard {shard} is one of another plan",
                        Folder
                    )
                : record;
        }
        catch (Exception failure) when (failure is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
        catch (Exception failure)
            when (failure is InvalidDataException or JsonException or IOException or UnauthorizedAccessException)
        {
            throw new RestoreException(
                RestoreErrorCode.ShardRecordDamaged,
                $"The record of shard {shard} cannot be used: {failure.Reason()}",
                path,
                failure
            );
        }
    }

    public void Write(ShardRecord record)
    {
        byte[] json = JsonSerializer.SerializeToUtf8Bytes(record, ShardRecordContext.Default.ShardRecord);
        string path = RecordOf(record.Shard);
        RequireWritable(
            path,
            () => AtomicFile.Write(path, [.. HashOf(json), (byte)'\n', .. json], AtomicFileOptions.Replaces)
        );
    }

    /// <summary>Removes a record: the part has to be restored again.</summary>
    public void Remove(int shard) => held.Retry(() => File.Delete(RecordOf(shard)));

    /// <summary>
    /// Creates the folder, with access only for users who may read the plan: its content names the
    /// same files.
    /// </summary>
    public void MakeFolder() =>
        RequireWritable(
            Folder,
            () =>
            {
                const UnixFileMode OthersRead = UnixFileMode.GroupRead | UnixFileMode.OtherRead;
                UnixFileMode readers = OperatingSystem.IsWindows()
                    ? UnixFileMode.None
                    : File.GetUnixFileMode(planFile) & OthersRead;
                PrivateFolder.At(Folder, readers | (UnixFileMode)((int)readers >> 2));
            }
        );

    private static byte[] HashOf(ReadOnlySpan<byte> bytes) =>
        Encoding.ASCII.GetBytes(Convert.ToHexStringLower(SHA256.HashData(bytes)));

    private string LeaseOf(int shard) => Path.Join(Folder, shard == 0 ? "finish.claim" : $"{shard}.claim");

    private static RestoreException NotWritable(string path, Exception failure) =>
        new(
            WriteFailure.CodeOfOutput(failure),
            $"The folder beside the plan cannot be written: {failure.Reason()}",
            path,
            failure
        );

    private static void RequireWritable(string path, Action write)
    {
        try
        {
            write();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw NotWritable(path, failure);
        }
    }

    private string RecordOf(int shard) => Path.Join(Folder, $"{shard}.done");
}

internal sealed record MissedBlocks(string Volume, int[] Blocks);
