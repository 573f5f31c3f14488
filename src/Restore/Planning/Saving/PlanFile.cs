using System.Collections.ObjectModel;
using Restore.Planning.Paths;

namespace Restore.Planning.Saving;

/// <summary>
/// A plan as a file: a mark, the head as JSON, the tables as they are in memory (little-endian),
/// and a SHA-256 of everything before.
/// </summary>
internal static class PlanFile
{
    // A head has a line for each volume and each issue: 256 MiB are a million of both.
    private const int MaxHeadBytes = 256 << 20;

    private static ReadOnlySpan<byte> Mark => "RSTPLAN3"u8;

    // Without the last digit, which is the version.
    private static ReadOnlySpan<byte> AnyMark => Mark[..^1];

    public static void Save(RestorePlan plan, Stream stream, CancellationToken cancellationToken = default)
    {
        using SHA256 hash = SHA256.Create();
        using (CryptoStream hashed = new(stream, hash, CryptoStreamMode.Write, leaveOpen: true))
        using (BufferedStream buffered = new(hashed, 1 << 20))
        using (BinaryWriter writer = new(buffered, Encoding.UTF8))
        {
            writer.Write(Mark);

            // The tables are saved in the layout that they have in memory. A program with another
            // layout must not read them.
            writer.Write(VersionContent.RowBytes);
            byte[] head = JsonSerializer.SerializeToUtf8Bytes(HeadOf(plan), PlanHeadContext.Default.PlanHead);
            writer.Write(head.Length);
            writer.Write(head);
            cancellationToken.ThrowIfCancellationRequested();
            plan.Pass.Content.Save(writer);
            cancellationToken.ThrowIfCancellationRequested();
            plan.Pass.Entries.Save(writer);
            writer.Write(MemoryMarshal.AsBytes(plan.Pass.Parts));
            plan.Pass.Locations.Save(writer);
        }

        // Closing the writers has ended the hash.
        stream.Write(hash.Hash);
    }

    /// <summary>
    /// Reads a plan: the stream from its position to its end. Another thread reads and hashes
    /// ahead. Before the checksum is verified, the head is parsed and the tables are filled, with
    /// at most a few times the length of the stream, but no table is used.
    /// </summary>
    /// <exception cref="RestoreException">The stream is not a plan, or it is damaged.</exception>
    public static RestorePlan Load(Stream stream, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        try
        {
            // The length limits what the head and the tables may claim, so it must be known first.
            using MemoryStream? copy = stream.CanSeek ? null : new MemoryStream();
            if (copy is not null)
            {
                stream.CopyTo(copy);
                copy.Position = 0;
            }

            return ReadVerified(copy ?? stream).ToPlan();
        }
        catch (Exception failure) when (IsDefect(failure))
        {
            throw new RestoreException(
                RestoreErrorCode.PlanDamaged,
                $"The plan cannot be read: {failure.Reason()}",
                innerException: failure
            );
        }
    }

    private static bool IsDefect(Exception failure) =>
        failure
            is InvalidDataException
                or EndOfStreamException
                or JsonException
                or ArgumentException
                or ArithmeticException
                or IndexOutOfRangeException
                or KeyNotFoundException;

    private static Tables ReadVerified(Stream source)
    {
        long length = source.Length - source.Position - SHA256.HashSizeInBytes;
        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        Tables? tables = null;
        Exception? defect = null;
        using (DecodedAhead ahead = new(new HashedReads(source, length, hash)))
        {
            using BinaryReader reader = new(ahead, Encoding.UTF8, leaveOpen: true);
            RequireMark(reader);
            try
            {
                tables = Read(reader, length);
            }
            catch (Exception failure) when (IsDefect(failure) || failure is FormatException or IOException)
            {
                // A text of an impossible length, for example. What the stream itself could not do,
                // it says again below.
                defect = failure;
            }

            // The rest is hashed after a defect too: a wrong checksum explains every other defect,
            // so it is the one that is reported.
            ahead.CopyTo(Stream.Null);
        }

        byte[] recorded = new byte[SHA256.HashSizeInBytes];
        source.ReadExactly(recorded);
        return !hash.GetHashAndReset().AsSpan().SequenceEqual(recorded)
            ? throw new InvalidDataException("Its checksum is wrong")
            : tables ?? throw new InvalidDataException(defect!.Reason(), defect);
    }

    private static void RequireMark(BinaryReader reader)
    {
        ReadOnlySpan<byte> found = reader.ReadBytes(Mark.Length);
        if (!found.StartsWith(AnyMark))
        {
            throw new InvalidDataException("It is not a plan");
        }

        if (!found.SequenceEqual(Mark) || reader.ReadInt32() != VersionContent.RowBytes)
        {
            throw new InvalidDataException("Another version of this program saved it: make a new plan");
        }
    }

    private static Tables Read(BinaryReader reader, long length)
    {
        int headBytes = reader.ReadInt32();
        if (headBytes < 0 || headBytes > Math.Min(MaxHeadBytes, length))
        {
            throw new InvalidDataException("Its head has an impossible length");
        }

        PlanHead head =
            JsonSerializer.Deserialize(reader.ReadBytes(headBytes), PlanHeadContext.Default.PlanHead)
            ?? throw new InvalidDataException("Its head is empty");
        if (
            head
                is not {
                        Location: not null,
                        Version: not null,
                        Options: not null,
                        Costs.Ranges: not null,
                        Paths.Rules: not null
                    }
                    or not {
                        Volumes: not null,
                        Issues: not null,
                        Renamed: not null,
                        Partials: not null,
                        First: not null,
                        PresentBlocks: not null
                    }
            || head.Sources?.Any(version => version is null) == true
        )
        {
            throw new InvalidDataException("Its head lacks something");
        }

        // Absent in plans from before there were owners to map.
        head = head with
        {
            Options = head.Options with
            {
                MapOwners = head.Options.MapOwners is { Count: > 0 } owners
                    ? owners
                    : ReadOnlyDictionary<string, string>.Empty,
            },
        };

        if (head.Shards is < 1 or > RestorePlan.MaxShards)
        {
            throw new InvalidDataException("Its number of shards is impossible");
        }

        VersionContent content = new(head.Version, new BlockLayout(head.BlockSizeBytes, head.BlockHash, head.FileHash));
        content.Load(reader);
        content.EndSelection(head.Selected ?? int.MaxValue);
        EntryPlans entries = EntryPlans.Load(content, PathMap.Of(head.Paths), reader, head);
        EntryParts[] parts = new EntryParts[entries.Count];
        reader.BaseStream.ReadExactly(MemoryMarshal.AsBytes(parts.AsSpan()));
        return new Tables(head, entries, parts, Locations.Load(reader, content.Blocks.Count, length));
    }

    private static Volume ToVolume(StoredFile file, int id) =>
        StoredName.Read(file.Name) is { Kind: not StoredNameKind.Other } name
            ? new Volume(new VolumeId(id), name.Volume with { Name = file.Name }, file.SizeBytes)
            {
                ArchiveTier = file.ArchiveTier,
            }
            : throw new InvalidDataException($"{file.Name} is not the name of a volume");

    private static PlanHead HeadOf(RestorePlan plan) =>
        new()
        {
            Location = plan.Location,
            Version = plan.Version,
            BlockSizeBytes = plan.Pass.Content.Layout.BlockSizeBytes,
            BlockHash = plan.Pass.Content.Layout.BlockHash,
            FileHash = plan.Pass.Content.Layout.FileHash,
            Options = plan.Options,
            SelectsAll = plan.SelectsAll,
            LeftOut = plan.LeftOut.Count == 0 ? null : plan.LeftOut,
            Costs = plan.Costs,
            Drill = plan.Drill,
            Shards = plan.Shards,
            Sources = plan.Sources is { } sources ? [.. sources.Select(source => source.Version)] : null,
            Selected =
                plan.Pass.Content.SelectedCount < plan.Pass.Content.Entries.Count
                    ? plan.Pass.Content.SelectedCount
                    : null,
            Paths = plan.Pass.Entries.Paths.Settings,
            LeavesBlocksToFiles = plan.Pass.LeavesBlocksToFiles,
            Volumes =
            [
                .. plan.Pass.Volumes.Select(volume => new StoredFile(volume.FileName, volume.SizeBytes)
                {
                    ArchiveTier = volume.ArchiveTier,
                }),
            ],
            Issues = plan.PlanningIssues,
            Renamed = plan.Pass.Entries.SavedNames(),
            Partials = plan.Pass.Entries.SavedPartials(),
            First = plan.Pass.Entries.Order?.First ?? [],
            PresentBlocks = plan.Pass.Entries.SavedBlocks(),
        };

    /// <summary>What a plan file holds, as it was read.</summary>
    private sealed record Tables(PlanHead Head, EntryPlans Entries, EntryParts[] Parts, Locations Locations)
    {
        public RestorePlan ToPlan()
        {
            PassPlan pass = new(
                Entries,
                Parts,
                Locations,
                [.. Head.Volumes.Select(ToVolume)],
                Head.LeavesBlocksToFiles
            );
            return new RestorePlan(pass, Head.Options, Head.Location, Head.Costs)
            {
                PlanningIssues = Head.Issues,
                SelectsAll = Head.SelectsAll,
                LeftOut = Head.LeftOut ?? [],
                Drill = Head.Drill,
                Shards = Head.Shards,
                Sources = Head.Sources is { } versions ? VersionSource.Of(pass, versions) : null,
            };
        }
    }
}
