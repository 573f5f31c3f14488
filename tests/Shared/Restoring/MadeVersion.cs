using System.Security.Cryptography;
using System.Text;
using Restore.Catalog;
using Restore.Format;
using Restore.Planning;
using Restore.Planning.Paths;
using Restore.Volumes;

namespace Restore.Tests.Restoring;

/// <summary>
/// A version of invented files, with all blocks in one volume that is never fetched.
/// </summary>
internal static class MadeVersion
{
    public const int BlockSizeBytes = 1024;

    private static readonly BlockLayout Layout = new(BlockSizeBytes, HashKind.Sha256, HashKind.Sha256);
    private static readonly Volume OnlyVolume = Parse("duplicati-b00000000000000000000000000000000.dblock.zip");

    /// <summary>The content of a file that nothing else has a block of.</summary>
    public static byte[] Content(int seed, int lengthBytes)
    {
        byte[] content = new byte[lengthBytes];
        new Random(seed).NextBytes(content);
        return content;
    }

    /// <summary>A version of files.</summary>
    /// <param name="files">The files.</param>
    /// <param name="fileHash">The recorded file hash; null for the right one.</param>
    public static VersionContent Of(IEnumerable<(string Path, byte[] Content)> files, byte[]? fileHash = null)
    {
        VersionContent version = new(new BackupVersion(0, DateTimeOffset.UnixEpoch, "list"), Layout);
        foreach ((string path, byte[] content) in files)
        {
            ContentId added = AddContent(version, content, fileHash ?? SHA256.HashData(content));
            version.AddEntry(Encoding.UTF8.GetBytes("/" + path), EntryKind.File, added, ContentId.None, 0);
        }

        return version;
    }

    public static EntryPlans.Builder Plans(VersionContent version) =>
        new(version, new PathMap(PathStyle.Unix, TargetRules.Unix, prefixLength: 1, toOriginalPlaces: false));

    /// <summary>The plan to create all of them.</summary>
    public static PassPlan PlanToCreate(params (string Path, byte[] Content)[] files) => PlanToCreate(Of(files));

    public static PassPlan PlanToCreate(VersionContent version)
    {
        EntryPlans.Builder plans = Plans(version);
        for (int entry = 0; entry < plans.Count; entry++)
        {
            plans[new EntryId(entry)] = EntryAction.Create;
        }

        EntryParts[] parts = new EntryParts[plans.Count];
        parts.AsSpan().Fill(EntryParts.Finish | EntryParts.Content);
        version.Blocks.Freeze();
        Locations locations = new([.. Enumerable.Repeat(OnlyVolume.Id, version.Blocks.Count)], [], [], []);
        return new PassPlan(plans.Build(), parts, locations, [OnlyVolume], leavesBlocksToFiles: true);
    }

    private static ContentId AddContent(VersionContent version, byte[] content, byte[] fileHash)
    {
        int[] blocks =
        [
            .. content
                .Chunk(BlockSizeBytes)
                .Select(block => version.Blocks.GetOrAdd(SHA256.HashData(block), block.Length)),
        ];

        ContentId id = version.AddContent(content.Length, fileHash);
        if (!version.HasSequence(id))
        {
            version.AddSequence(id);
        }

        for (int i = 0; i < blocks.Length; i++)
        {
            version.SetBlock(id, i, new BlockId(blocks[i]));
        }

        return id;
    }

    private static Volume Parse(string name) =>
        VolumeName.TryParse(name, out VolumeName parsed)
            ? new Volume(new VolumeId(0), parsed, 1 << 20)
            : throw new FormatException(name);
}
