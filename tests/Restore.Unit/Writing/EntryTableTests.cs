using System.Security.Cryptography;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Restore.Format;
using Restore.Memory;
using Restore.Tests.Format;
using Restore.Writing;
using Restore.Writing.Messages;
using Restore.Writing.Source;

namespace Restore.Tests.Writing;

public class EntryTableTests
{
    // Letters on both sides of the separator, and few of them, so that paths begin alike.
    private static Gen<string> Paths =>
        from characters in Gen.ListOf(Gen.Elements('a', 'b', '/', '-', '0', 'ä'))
        select "/" + string.Concat(characters);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_list_has_folders_and_links_by_path_then_files_by_path(bool isOneHash)
    {
        BlockLayout layout = new(1024, HashKind.Sha256, isOneHash ? HashKind.Sha256 : HashKind.Sha512);
        var entries =
            from path in Paths
            from kind in Gen.Elements(EntryKind.File, EntryKind.Folder, EntryKind.Symlink)
            select new SourceEntry(
                path,
                kind,
                new SourceStatus { Kind = kind, LastWriteTicks = DateTime.UnixEpoch.AddDays(path.Length).Ticks }
            );
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                Gen.ListOf(entries).ToArbitrary(),
                all =>
                {
                    ReadEntry[] read =
                    [
                        .. all.Select(source => Read(source, isOneHash))
                            .DistinctBy(entry => (entry.Source.ListedPath, entry.Source.Kind == EntryKind.File)),
                    ];
                    ListedEntry[] expected =
                    [
                        .. read.Select(Listed)
                            .OrderBy(entry => entry.Kind == EntryKind.File)
                            .ThenBy(
                                entry => Convert.ToHexString(Encoding.UTF8.GetBytes(entry.Path)),
                                StringComparer.Ordinal
                            ),
                    ];
                    Assert.Equal(expected, RecordingSink.Read(Write(read, layout), layout).Entries);
                }
            )
        );
    }

    private static ReadEntry Read(SourceEntry source, bool isOneHash)
    {
        byte[] text = Encoding.UTF8.GetBytes(source.Path);
        ContentHashes metadata = new(text.Length, Hash(text), isOneHash ? [] : SHA256.HashData(text), []);
        bool isLong = text.Length > 3;
        ContentHashes content =
            source.Kind != EntryKind.File ? default
            : isLong ? new ContentHashes(3000, Hash([1, .. text]), [], SHA256.HashData([1, .. text]))
            : new ContentHashes(text.Length, Hash([1, .. text]), isOneHash ? [] : SHA256.HashData([1, .. text]), []);
        return new ReadEntry(source, content, metadata, IsSame: false);

        byte[] Hash(byte[] data) => isOneHash ? SHA256.HashData(data) : SHA512.HashData(data);
    }

    private static ListedEntry Listed(ReadEntry entry) =>
        new(
            entry.Source.Kind,
            entry.Source.ListedPath,
            Hex(entry.Content.Hash),
            entry.Content.SizeBytes,
            entry.Source.Kind == EntryKind.File ? entry.Source.Status.LastWriteTicks : 0,
            Hex(entry.Metadata.Hash),
            entry.Metadata.SizeBytes,
            Hex(entry.Metadata.BlockHash),
            "",
            Hex(entry.Content.BlockHash),
            Hex(entry.Content.BlocklistHashes)
        );

    private static string Hex(byte[]? hash) => Convert.ToHexString(hash ?? []);

    private static byte[] Write(IEnumerable<ReadEntry> entries, BlockLayout layout)
    {
        EntryTable table = new(new KnownBlocks(new BlockSet(layout.BlockHash.LengthBytes())), layout.BlockSizeBytes);
        foreach (ReadEntry entry in entries)
        {
            table.Add(entry);
        }

        using var stream = new MemoryStream();
        var writer = new FileListWriter(stream, layout);
        table.WriteTo(writer);
        writer.Finish();
        return stream.ToArray();
    }
}
