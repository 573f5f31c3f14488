using System.IO.Compression;
using System.IO.Hashing;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Restore.Compression;
using Restore.Compression.Methods;
using Restore.Compression.Zip;
using Restore.Format;
using Restore.Memory;

namespace Restore.Tests.Compression;

/// <summary>What the writer writes, .NET's reader and our own read.</summary>
public sealed class ZipWriterTests
{
    private static readonly DateTimeOffset Time = new(2024, 2, 29, 13, 14, 16, TimeSpan.Zero);

    [Fact]
    public void Any_entries_come_back_in_order() =>
        FsCheck.Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll<(byte[] Content, bool IsStored)[]>(entries => Check(entries, isNative: true))
        );

    [Fact]
    public void Any_entries_come_back_without_libdeflate() =>
        FsCheck.Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(30),
            Prop.ForAll<(byte[] Content, bool IsStored)[]>(entries => Check(entries, isNative: false))
        );

    [Theory]
    [InlineData(65_535)]
    [InlineData(65_536)]
    [InlineData(70_000)]
    public void More_entries_than_the_plain_directory_counts_come_back(int count)
    {
        byte[] archive = Write(zip =>
        {
            for (int i = 0; i < count; i++)
            {
                zip.AddStored(Encoding.ASCII.GetBytes($"{i}"), [(byte)i]);
            }
        });

        using ZipArchive net = new(new MemoryStream(archive));
        Assert.Equal(count, net.Entries.Count);
        Assert.Equal($"{count - 1}", net.Entries[^1].FullName);
        using Archive own = ArchiveReader.Open(ArchiveKind.Zip, archive, new Codecs());
        int read = 0;
        while (own.MoveNext(out _))
        {
            read++;
        }

        Assert.Equal(count, read);
        Assert.False(own.IsSalvaged);
    }

    [Fact]
    public void An_entry_that_may_be_large_has_room_for_its_length()
    {
        byte[] archive = Write(zip =>
        {
            using Stream entry = zip.Open("large", level: 1, isLarge: true);
            entry.Write("content"u8);
        });

        using ZipArchive net = new(new MemoryStream(archive));
        using StreamReader content = new(net.GetEntry("large")!.Open());
        Assert.Equal("content", content.ReadToEnd());
    }

    [Fact]
    public void An_entry_of_more_than_4_GiB_has_its_length_in_64_bits()
    {
        const long Length = (4L << 30) + 12345;
        byte[] archive = Write(zip =>
        {
            byte[] zeros = new byte[1 << 20];
            using Stream entry = zip.Open("large", level: 1, isLarge: true);
            for (long written = 0; written < Length; written += zeros.Length)
            {
                entry.Write(zeros.AsSpan(0, (int)Math.Min(zeros.Length, Length - written)));
            }
        });

        using ZipArchive net = new(new MemoryStream(archive));
        Assert.Equal(Length, net.GetEntry("large")!.Length);
        using Archive own = ArchiveReader.Open(ArchiveKind.Zip, archive, new Codecs());
        Assert.True(own.MoveNext(out ArchiveEntry found));
        Assert.Equal(Length, found.Length);
    }

    [Fact]
    public void Names_and_times_are_recorded()
    {
        byte[] archive = Write(zip => zip.AddStored("vol/prefix-ü"u8, "x"u8));

        using ZipArchive net = new(new MemoryStream(archive));
        ZipArchiveEntry entry = Assert.Single(net.Entries);
        Assert.Equal("vol/prefix-ü", entry.FullName);
        Assert.Equal(Time.DateTime, entry.LastWriteTime.DateTime);
    }

    [Fact]
    public void The_announced_length_is_never_less_than_the_final_one()
    {
        BufferPool pool = new();
        using PooledOutput output = new(pool, 16);
        using ZipWriter zip = new(output, pool, Time);
        for (int i = 0; i < 10; i++)
        {
            zip.AddStored(Encoding.ASCII.GetBytes($"{i}"), new byte[i]);
        }

        int announced = zip.FinishedLength;
        zip.Finish();
        Assert.InRange(output.Length, announced - 76, announced);
    }

    private static void Check((byte[] Content, bool IsStored)[] entries, bool isNative)
    {
        Codecs codecs = new(isNative);
        byte[] archive = Write(zip =>
        {
            using IDeflater deflater = codecs.CreateDeflater(6);
            for (int i = 0; i < entries.Length; i++)
            {
                Add(zip, deflater, $"entry{i}", entries[i].Content, entries[i].IsStored);
            }
        });

        using ZipArchive net = new(new MemoryStream(archive));
        Assert.Equal(entries.Length, net.Entries.Count);
        using Archive own = ArchiveReader.Open(ArchiveKind.Zip, archive, codecs);
        for (int i = 0; i < entries.Length; i++)
        {
            using MemoryStream content = new();
            using (Stream opened = net.Entries[i].Open())
            {
                opened.CopyTo(content);
            }

            Assert.Equal($"entry{i}", net.Entries[i].FullName);
            Assert.Equal(entries[i].Content, content.ToArray());
            Assert.True(own.MoveNext(out ArchiveEntry entry));
            byte[] decoded = new byte[entries[i].Content.Length];
            Assert.Equal(DecodeResult.Decoded, own.Decode(entry, decoded, checkCrc: true));
            Assert.Equal(entries[i].Content, decoded);
        }

        Assert.False(own.MoveNext(out _));
    }

    private static void Add(ZipWriter zip, IDeflater deflater, string name, byte[] content, bool isStored)
    {
        byte[] utf8 = Encoding.UTF8.GetBytes(name);
        byte[] compressed = new byte[content.Length + 64];
        int length = isStored || content.Length == 0 ? 0 : deflater.Deflate(content, compressed);
        if (length > 0)
        {
            zip.Add(utf8, compressed.AsSpan(0, length), ZipMethod.Deflate, Crc32.HashToUInt32(content), content.Length);
        }
        else
        {
            zip.AddStored(utf8, content);
        }
    }

    private static byte[] Write(Action<ZipWriter> fill)
    {
        BufferPool pool = new();
        byte[] archive;
        using (PooledOutput output = new(pool, 64))
        using (ZipWriter zip = new(output, pool, Time))
        {
            fill(zip);
            zip.Finish();
            using PooledBuffer finished = output.Detach();
            archive = finished.Span.ToArray();
        }

        Assert.Equal(0, pool.OutstandingBuffers);
        return archive;
    }
}
