using System.Security.Cryptography;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Restore.Format;
using Restore.Tests.Format;
using Restore.Writing;
using Restore.Writing.Messages;
using Restore.Writing.Source;

namespace Restore.Tests.Writing;

public class EntryTableTests
{
    private static readonly BlockLayout Layout = new(1024, HashKind.Sha256, HashKind.Sha512);

    // Letters on both sides of the separator, and few of them, so that paths begin alike.
    private static Gen<string> Paths =>
        from characters in Gen.ListOf(Gen.Elements('a', 'b', '/', '-', '0', 'ä'))
        select "/" + string.Concat(characters);

    [Fact]
    public void A_list_has_folders_and_links_by_path_then_files_by_path()
    {
        var entries = from path in Paths
                      from kind in Gen.Elements(EntryKind.File, EntryKind.Folder, EntryKind.Symlink)
                      select new SourceEntry(path, kind, new SourceStatus { Kind = kind, LastWriteTicks = DateTime.UnixEpoch.AddDays(path.Length).Ticks });
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(Gen.ListOf(entries).ToArbitrary(), all =>
            {
                ReadEntry[] read = [.. all.Select(Read).DistinctBy(entry => (entry.Source.ListedPath, entry.Source.Kind == EntryKind.File))];
                ListedEntry[] expected = [.. read.Select(Listed)
                    .OrderBy(entry => entry.Kind == EntryKind.File)
                    .ThenBy(entry => Convert.ToHexString(Encoding.UTF8.GetBytes(entry.Path)), StringComparer.Ordinal)];
                Assert.Equal(expected, RecordingSink.Read(Write(read), Layout).Entries);
            }));
    }

    private static ReadEntry Read(SourceEntry source)
    {
        byte[] text = Encoding.UTF8.GetBytes(source.Path);
        ContentHashes metadata = new(text.Length, SHA512.HashData(text), SHA256.HashData(text), []);
        bool isLong = text.Length > 3;
        ContentHashes content = source.Kind != EntryKind.File ? default
            : isLong ? new ContentHashes(3000, SHA512.HashData([1, .. text]), [], SHA256.HashData([1, .. text]))
            : new ContentHashes(text.Length, SHA512.HashData([1, .. text]), SHA256.HashData([1, .. text]), []);
        return new ReadEntry(source, content, metadata, IsSame: false);
    }

    private static ListedEntry Listed(ReadEntry entry) => new(
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
        Hex(entry.Content.BlocklistHashes));

    private static string Hex(byte[]? hash) => Convert.ToHexString(hash ?? []);

    private static byte[] Write(IEnumerable<ReadEntry> entries)
    {
        EntryTable table = new();
        foreach (ReadEntry entry in entries)
        {
            table.Add(entry);
        }

        using var stream = new MemoryStream();
        var writer = new FileListWriter(stream, Layout);
        table.WriteTo(writer);
        writer.Finish();
        return stream.ToArray();
    }
}
