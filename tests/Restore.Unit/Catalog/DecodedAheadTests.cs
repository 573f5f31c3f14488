using System.Buffers;
using Restore.Catalog;

namespace Restore.Tests.Catalog;

/// <summary>A long list is decoded on a thread of its own, ahead of who reads it.</summary>
public sealed class DecodedAheadTests
{
    private const int Length = 5_000_001;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData(1 << 16)]
    [InlineData(4097)]
    [InlineData(3 << 20)]
    public async Task Every_byte_comes_in_its_order(int readBytes)
    {
        byte[] bytes = new byte[Length];
        new Random(7).NextBytes(bytes);
        byte[] read = await Task.Run(() => ReadAll(new MemoryStream(bytes), readBytes, out _))
            .WaitAsync(Patience, TestContext.Current.CancellationToken);
        Assert.Equal(bytes, read);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(1 << 18)]
    [InlineData(3_000_000)]
    public async Task What_comes_before_a_defect_is_read_and_then_the_defect_reported_each_time(int sound)
    {
        (byte[] read, Exception? failure) = await Task.Run(() =>
            {
                byte[] read = ReadAll(new Defective(sound), 1000, out Exception? failure);
                return (read, failure);
            })
            .WaitAsync(Patience, TestContext.Current.CancellationToken);
        Assert.Equal(sound, read.Length);
        Assert.Equal("broken here", Assert.IsType<InvalidDataException>(failure).Message);
    }

    [Fact]
    public async Task Who_stops_reading_waits_for_no_more_than_a_piece()
    {
        Defective source = new(int.MaxValue);
        await Task.Run(() =>
            {
                using DecodedAhead ahead = new(source);
                Assert.Equal(10, ahead.Read(new byte[10]));
            })
            .WaitAsync(Patience, TestContext.Current.CancellationToken);
        Assert.InRange(source.Given, 1, 8 << 20);
        Assert.False(source.CanRead);
    }

    [Fact]
    public async Task That_there_is_no_memory_is_reported_to_the_reader()
    {
        await Task.Run(() =>
            {
                using DecodedAhead ahead = new(new Defective(int.MaxValue), new SmallPool());
                byte[] buffer = new byte[1 << 20];
                Assert.Throws<InsufficientMemoryException>(() =>
                {
                    while (ahead.Read(buffer) > 0) { }
                });
            })
            .WaitAsync(Patience, TestContext.Current.CancellationToken);
    }

    private static byte[] ReadAll(Stream source, int readBytes, out Exception? failure)
    {
        failure = null;
        using MemoryStream all = new();
        using DecodedAhead ahead = new(source);
        byte[] buffer = new byte[readBytes];
        try
        {
            while (ahead.Read(buffer) is int read and > 0)
            {
                all.Write(buffer, 0, read);
            }
        }
        catch (InvalidDataException defect)
        {
            failure = defect;
            Assert.Equal(defect.Message, Assert.Throws<InvalidDataException>(() => ahead.Read(buffer)).Message);
        }

        return all.ToArray();
    }

    /// <summary>Has memory for two pieces.</summary>
    private sealed class SmallPool : ArrayPool<byte>
    {
        private int left = 2;

        public override byte[] Rent(int minimumLength) =>
            left-- > 0 ? new byte[minimumLength] : throw new InsufficientMemoryException();

        public override void Return(byte[] array, bool clearArray = false) { }
    }

    /// <summary>Gives some zeros, then fails.</summary>
    private sealed class Defective(int sound) : MemoryStream
    {
        public int Given { get; private set; }

        public override int Read(Span<byte> buffer)
        {
            int length = Math.Min(Math.Min(buffer.Length, 10_000), sound - Given);
            Given += length;
            return length > 0 ? length : throw new InvalidDataException("broken here");
        }
    }
}
