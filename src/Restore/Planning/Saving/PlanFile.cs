using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Restore.Catalog;
using Restore.Format;
using Restore.Memory;
using Restore.Planning.Paths;
using Restore.Volumes;

namespace Restore.Planning.Saving;

/// <summary>A plan as a file: a mark, the head as JSON, the tables as they are in memory (little-endian), and a SHA-256 of everything before.</summary>
internal static class PlanFile
{
    // A head has a line for each volume and each issue: 256 MiB are a million of both.
    private const int MaxHeadBytes = 256 << 20;

    private static ReadOnlySpan<byte> Mark => "RSTPLAN1"u8;

    /// <summary>Writes a plan.</summary>
    public static void Save(RestorePlan plan, Stream stream)
    {
        using SHA256 hash = SHA256.Create();
        using (CryptoStream hashed = new(stream, hash, CryptoStreamMode.Write, leaveOpen: true))
        using (BufferedStream buffered = new(hashed, 1 << 20))
        using (BinaryWriter writer = new(buffered, Encoding.UTF8))
        {
            writer.Write(Mark);
            writer.Write(Unsafe.SizeOf<EntryRow>() + Unsafe.SizeOf<ContentRow>());
            byte[] head = JsonSerializer.SerializeToUtf8Bytes(HeadOf(plan), PlanHeadContext.Default.PlanHead);
            writer.Write(head.Length);
            writer.Write(head);
            plan.Pass.Content.Save(writer);
            plan.Pass.Entries.Save(writer);
            writer.Write(MemoryMarshal.AsBytes(plan.Pass.Parts));
            plan.Pass.Locations.Save(writer);
        }

        stream.Write(hash.Hash);
    }

    /// <summary>Reads a plan: the stream from its position to its end. Parses nothing before the checksum is verified.</summary>
    /// <exception cref="RestoreException">The stream is not a plan, or it is damaged.</exception>
    public static RestorePlan Load(Stream stream)
    {
        try
        {
            using MemoryStream? copy = stream.CanSeek ? null : new MemoryStream();
            if (copy is not null)
            {
                stream.CopyTo(copy);
                copy.Position = 0;
            }

            Stream source = copy ?? stream;
            long start = source.Position;
            RequireChecksum(source);
            source.Position = start;
            using BinaryReader reader = new(source, Encoding.UTF8, leaveOpen: true);
            return Read(reader);
        }
        catch (Exception failure) when (failure is InvalidDataException or EndOfStreamException or JsonException or ArgumentException or OverflowException)
        {
            throw new RestoreException(RestoreErrorCode.PlanDamaged, $"The plan cannot be read: {failure.Reason()}", innerException: failure);
        }
    }

    private static void RequireChecksum(Stream source)
    {
        long left = source.Length - source.Position - SHA256.HashSizeInBytes;
        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        byte[] buffer = new byte[1 << 20];
        while (left > 0)
        {
            Span<byte> part = buffer.AsSpan(0, (int)Math.Min(left, buffer.Length));
            source.ReadExactly(part);
            hash.AppendData(part);
            left -= part.Length;
        }

        byte[] recorded = new byte[SHA256.HashSizeInBytes];
        source.ReadExactly(recorded);
        if (!hash.GetHashAndReset().AsSpan().SequenceEqual(recorded))
        {
            throw new InvalidDataException("Its checksum is wrong");
        }
    }

    private static RestorePlan Read(BinaryReader reader)
    {
        if (!reader.ReadBytes(Mark.Length).AsSpan().SequenceEqual(Mark) || reader.ReadInt32() != Unsafe.SizeOf<EntryRow>() + Unsafe.SizeOf<ContentRow>())
        {
            throw new InvalidDataException("It is not a plan, or of another version of this program");
        }

        int headBytes = reader.ReadInt32();
        if (headBytes is < 0 or > MaxHeadBytes)
        {
            throw new InvalidDataException("Its head has an impossible length");
        }

        PlanHead head = JsonSerializer.Deserialize(reader.ReadBytes(headBytes), PlanHeadContext.Default.PlanHead)
            ?? throw new InvalidDataException("Its head is empty");
        if (head.Shards is < 1 or > PlanSplit.MostParts)
        {
            throw new InvalidDataException("Its number of shards is impossible");
        }

        VersionContent content = new(head.Version, new BlockLayout(head.BlockSizeBytes, head.BlockHash, head.FileHash));
        content.Load(reader);
        EntryPlans entries = new(content, PathMap.Of(head.Paths));
        entries.Load(reader, head);
        EntryParts[] parts = new EntryParts[entries.Count];
        reader.BaseStream.ReadExactly(MemoryMarshal.AsBytes(parts.AsSpan()));
        Locations locations = Locations.Load(reader, content.Blocks.Count);
        PassPlan pass = new(entries, parts, locations, [.. head.Volumes.Select(ToVolume)], head.LeavesBlocksToFiles);
        return new RestorePlan(pass, head.Options, head.Location, head.Costs) { PlanningIssues = head.Issues, Drill = head.Drill, Shards = head.Shards };
    }

    private static Volume ToVolume(StoredFile file, int id) => VolumeName.TryParse(file.Name, out VolumeName name)
        ? new Volume(new VolumeId(id), name, file.SizeBytes)
        : throw new InvalidDataException($"{file.Name} is not the name of a volume");

    private static PlanHead HeadOf(RestorePlan plan) => new()
    {
        Location = plan.Location,
        Version = plan.Version,
        BlockSizeBytes = plan.Pass.Content.Layout.BlockSizeBytes,
        BlockHash = plan.Pass.Content.Layout.BlockHash,
        FileHash = plan.Pass.Content.Layout.FileHash,
        Options = plan.Options,
        Costs = plan.Costs,
        Drill = plan.Drill,
        Shards = plan.Shards,
        Paths = plan.Pass.Entries.Paths.Settings,
        LeavesBlocksToFiles = plan.Pass.LeavesBlocksToFiles,
        Volumes = [.. plan.Pass.Volumes.Select(volume => new StoredFile(volume.FileName, volume.SizeBytes))],
        Issues = plan.PlanningIssues,
        Renamed = plan.Pass.Entries.SavedNames(),
        PresentBlocks = plan.Pass.Entries.SavedBlocks(),
    };
}
