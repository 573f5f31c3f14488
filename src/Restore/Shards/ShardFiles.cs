using System.Text.Json;

namespace Restore.Shards;

/// <summary>
/// The files beside a plan that say what happened to its parts, in a folder with the name of the plan. Each is written whole under a name of its own,
/// and renamed: other machines see nothing or all of it. A hash in its first line shows what a device or a network lost.
/// </summary>
internal sealed class ShardFiles(string planFile, string planId)
{
    private const int HashChars = 64;

    public string Folder { get; } = Path.GetFullPath(planFile) + ".shards";

    public string PlanId => planId;

    public string LeaseOf(int shard) => Path.Join(Folder, $"{shard}.claim");

    /// <summary>The record of a part; null if there is none.</summary>
    /// <exception cref="RestoreException">It is damaged, cannot be read, or is one of another plan or of another number of parts.</exception>
    public ShardRecord? Read(int shard, int count)
    {
        ShardRecord? record = Read(shard);
        return record is null ? null
            : record.Plan != planId
                ? throw new RestoreException(RestoreErrorCode.ShardPlanOther, $"The record of shard {shard} is one of another plan", Folder)
            : record.Shards != count ? throw new RestoreException(
                RestoreErrorCode.ShardCountWrong, $"Shard {shard} was restored as one of {record.Shards} shards, not of {count}", Folder)
            : record;
    }

    private ShardRecord? Read(int shard)
    {
        string path = RecordOf(shard);
        try
        {
            byte[] bytes = File.ReadAllBytes(path);
            return bytes.Length > HashChars + 1 && HashOf(bytes.AsSpan(HashChars + 1)).AsSpan().SequenceEqual(bytes.AsSpan(0, HashChars))
                ? JsonSerializer.Deserialize(bytes.AsSpan(HashChars + 1), ShardRecordContext.Default.ShardRecord)
                : throw new InvalidDataException("its hash is wrong");
        }
        catch (Exception failure) when (failure is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
        catch (Exception failure) when (failure is InvalidDataException or JsonException or IOException or UnauthorizedAccessException)
        {
            throw new RestoreException(RestoreErrorCode.ShardRecordDamaged, $"The record of shard {shard} cannot be used: {failure.Reason()}", path, failure);
        }
    }

    /// <exception cref="RestoreException">It cannot be written.</exception>
    public void Write(ShardRecord record)
    {
        byte[] json = JsonSerializer.SerializeToUtf8Bytes(record, ShardRecordContext.Default.ShardRecord);
        Write(RecordOf(record.Shard), [.. HashOf(json), (byte)'\n', .. json]);
    }

    /// <summary>Removes a record: the part has to be restored again.</summary>
    public void Remove(int shard) => File.Delete(RecordOf(shard));

    /// <summary>Makes the folder.</summary>
    /// <exception cref="RestoreException">It cannot be made.</exception>
    public void MakeFolder()
    {
        try
        {
            Directory.CreateDirectory(Folder);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw NotWritable(Folder, failure);
        }
    }

    private static byte[] HashOf(ReadOnlySpan<byte> bytes) => Encoding.ASCII.GetBytes(Convert.ToHexStringLower(SHA256.HashData(bytes)));

    public static RestoreException NotWritable(string path, Exception failure) =>
        new(RestoreErrorCode.OutputNotWritable, $"The folder beside the plan cannot be written: {failure.Reason()}", path, failure);

    private void Write(string path, byte[] content)
    {
        try
        {
            AtomicFile.Write(path, content, AtomicFileOptions.Replaces);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw NotWritable(path, failure);
        }
    }

    private string RecordOf(int shard) => Path.Join(Folder, $"{shard}.done");
}
