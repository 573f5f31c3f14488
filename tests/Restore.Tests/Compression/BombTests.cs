using Restore.Compression;

namespace Restore.Tests.Compression;

public class BombTests
{
    private const long EnoughBytes = 128 << 20;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_block_that_inflates_to_more_than_its_size_is_damaged_and_nothing_beyond_is_written(
        bool useNativeLibraries
    )
    {
        string path = Directory.EnumerateFiles(Fixtures.Backup("hostile/bomb-declared-small"), "*.dblock.zip").Single();
        using Archive archive = Volumes.Open(path, useNativeLibraries ? Volumes.Native : Volumes.Managed);
        int bombs = 0;
        byte[] buffer = new byte[64 * 1024];
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            Assert.InRange(entry.Length, 0, 1024);
            buffer.AsSpan().Fill(0xEE);
            bombs += TryDecode(archive, entry, buffer.AsSpan(0, (int)entry.Length)) ? 0 : 1;
            Assert.False(buffer.AsSpan((int)entry.Length).ContainsAnyExcept((byte)0xEE));
        }

        Assert.Equal(3, bombs);
    }

    [Fact]
    public void A_list_of_a_gibibyte_of_blanks_streams_through_little_memory_and_can_be_left_early()
    {
        string path = Directory
            .EnumerateFiles(Fixtures.Backup("hostile/bomb-lists"), "*20260101T000000Z.dlist.zip")
            .Single();
        using Archive archive = Volumes.Open(path, Volumes.Native);
        ArchiveEntry entry = FindLongest(archive);
        Assert.True(entry.Length > 1 << 30);

        long before = GC.GetAllocatedBytesForCurrentThread();
        byte[] buffer = new byte[128 * 1024];
        using (Stream stream = archive.Open(entry, 2L << 30))
        {
            // The decoder of BZip2 takes a fixed amount for its block of 900 kB; after that nothing
            // is allocated.
            long length = stream.Read(buffer);
            long atStart = GC.GetAllocatedBytesForCurrentThread();
            Assert.InRange(atStart - before, 0, 6 << 20);
            while (length < EnoughBytes)
            {
                length += stream.Read(buffer);
            }

            Assert.InRange(length, EnoughBytes, entry.Length - 1);
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - atStart, 0, 64 << 10);
        }
    }

    [Fact]
    public void A_list_above_the_limit_of_its_reader_is_refused_before_anything_is_decoded()
    {
        string path = Directory
            .EnumerateFiles(Fixtures.Backup("hostile/bomb-lists"), "*20260101T000000Z.dlist.zip")
            .Single();
        using Archive archive = Volumes.Open(path, Volumes.Native);
        ArchiveEntry entry = FindLongest(archive);
        var refused = Assert.Throws<InvalidDataException>(() => archive.Open(entry, 1 << 29));
        Assert.Equal(
            $"The archive entry 'filelist.json' claims to have {entry.Length} bytes; at most 536870912 are read",
            refused.Message
        );
    }

    private static bool TryDecode(Archive archive, in ArchiveEntry entry, Span<byte> destination)
    {
        try
        {
            return archive.Decode(entry, destination, checkCrc: false) == DecodeResult.Decoded;
        }
        catch (UnsupportedMethodException)
        {
            return false;
        }
    }

    private static ArchiveEntry FindLongest(Archive archive)
    {
        ArchiveEntry longest = default;
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            longest = entry.Length > longest.Length ? entry : longest;
        }

        return longest;
    }
}
