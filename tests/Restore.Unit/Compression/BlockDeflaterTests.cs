using System.IO.Compression;
using FsCheck;
using FsCheck.Fluent;
using Restore.Compression;
using Restore.Compression.Methods;

namespace Restore.Tests.Compression;

/// <summary>
/// Blocks of mixed content: one Deflate stream that every reader inflates, and that is no larger
/// than it has to be.
/// </summary>
public sealed class BlockDeflaterTests
{
    private static readonly string[] Words =
    [
        "restore ",
        "volume ",
        "block ",
        "of ",
        "the ",
        "index ",
        "and ",
        "version ",
        "\r\n",
        "a ",
    ];

    private static Arbitrary<Piece[]> Pieces =>
        Gen.Elements('r', 't', '0', 'c')
            .SelectMany(kind =>
                Gen.OneOf(Gen.Choose(1, 3_000), Gen.Choose(3_000, 150_000)).Select(length => new Piece(kind, length))
            )
            .ArrayOf()
            .Where(pieces => pieces.Length is > 0 and < 20)
            .ToArbitrary();

    [Fact]
    public void Any_mixture_of_pieces_comes_back_from_libdeflate_and_from_the_runtime() => Check(new Codecs());

    [Fact]
    public void Any_mixture_of_pieces_comes_back_without_libdeflate() => Check(new Codecs(useNativeLibraries: false));

    [Theory]
    [InlineData(0)]
    [InlineData(65_535)]
    [InlineData(200_000)]
    public async Task Data_without_compression_comes_back_from_the_runtime(int lengthBytes)
    {
        byte[] data = Make([new('t', lengthBytes)]);
        using MemoryStream stored = new();
        await using (StoredStream stream = new(stored))
        {
            await stream.WriteAsync(data.AsMemory(0, lengthBytes / 3), TestContext.Current.CancellationToken);
            stream.Write(data.AsSpan(lengthBytes / 3));
        }

        stored.Position = 0;
        using MemoryStream plain = new();
        await using DeflateStream inflate = new(stored, CompressionMode.Decompress);
        await inflate.CopyToAsync(plain, TestContext.Current.CancellationToken);
        Assert.Equal(data, plain.ToArray());
    }

    [Fact]
    public void Zeros_in_random_data_are_compressed_and_the_rest_is_stored()
    {
        byte[] data = Make([new('r', 500_000), new('0', 100_000), new('r', 300_000), new('0', 100_000)]);

        int length = Deflate(new Codecs(), data).Length;

        Assert.InRange(length, 800_000, 800_000 + 12_000);
    }

    [Fact]
    public void Random_data_that_begins_with_a_header_is_hardly_larger_than_random_data()
    {
        byte[] data = Make([new('t', 70_000), new('r', 900_000)]);

        Assert.InRange(Deflate(new Codecs(), data).Length, 900_000, 900_000 + 40_000);
    }

    [Fact]
    public void Bytes_that_are_evenly_frequent_but_repeat_are_compressed()
    {
        byte[] data = Make([new('c', 1_000_000)]);

        Assert.InRange(Deflate(new Codecs(), data).Length, 1, 20_000);
    }

    [Fact]
    public void Random_data_is_left_as_it_is() => Assert.Empty(Deflate(new Codecs(), Make([new('r', 1 << 20)])));

    [Fact]
    public void Text_is_compressed_as_a_whole()
    {
        byte[] data = Make([new('t', 1 << 20)]);
        Codecs codecs = new();
        using IDeflater plain = codecs.CreateDeflater(6);
        byte[] expected = new byte[data.Length];
        int length = plain.Deflate(data, expected);

        Assert.Equal(expected[..length], Deflate(codecs, data));
    }

    [Fact]
    public void What_does_not_fit_is_not_written()
    {
        byte[] data = Make([new('r', 500_000), new('0', 100_000), new('r', 300_000)]);
        using PiecewiseDeflater deflater = new(6);
        byte[] room = new byte[data.Length];
        int length = deflater.Deflate(data, room);

        Assert.All(
            [0, 1, 5, 499_999, 500_050, length - 2, length - 1],
            shorter => Assert.Equal(0, deflater.Deflate(data, room.AsSpan(0, shorter)))
        );
        Assert.Equal(length, deflater.Deflate(data, room.AsSpan(0, length)));
    }

    private static void Check(Codecs codecs) =>
        FsCheck.Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(40),
            Prop.ForAll(
                Pieces,
                pieces =>
                {
                    byte[] data = Make(pieces);
                    using PiecewiseDeflater piecewise = new(6);
                    using BlockDeflater deflater = new(codecs, 6);
                    using IEntryDecoder native = new Codecs().CreateDecoder(CompressionMethods.Deflate.Id);
                    byte[] room = new byte[data.Length + (data.Length / 1000) + 64];
                    foreach (IDeflater tested in new IDeflater[] { piecewise, deflater })
                    {
                        int length = tested.Deflate(data, room);
                        if (length > 0)
                        {
                            byte[] inflated = new byte[data.Length];
                            Assert.True(native.TryDecode(room.AsMemory(0, length), inflated));
                            Assert.Equal(data, inflated);
                            using DeflateStream stream = new(
                                new MemoryStream(room, 0, length),
                                CompressionMode.Decompress
                            );
                            Array.Clear(inflated);
                            stream.ReadExactly(inflated);
                            Assert.Equal(-1, stream.ReadByte());
                            Assert.Equal(data, inflated);
                        }
                        else
                        {
                            Assert.Same(deflater, tested);
                        }
                    }
                }
            )
        );

    private static byte[] Deflate(Codecs codecs, byte[] data)
    {
        using BlockDeflater deflater = new(codecs, 6);
        byte[] room = new byte[data.Length - 1];
        return room[..deflater.Deflate(data, room)];
    }

    private static byte[] Make(Piece[] pieces)
    {
        Random random = new(pieces.Sum(piece => piece.Length));
        MemoryStream data = new();
        foreach (Piece piece in pieces)
        {
            byte[] bytes = new byte[piece.Length];
            switch (piece.Kind)
            {
                case 'r':
                    random.NextBytes(bytes);
                    break;
                case 'c':
                    for (int i = 0; i < bytes.Length; i++)
                    {
                        bytes[i] = (byte)i;
                    }

                    break;
                case 't':
                    for (int i = 0; i < bytes.Length; )
                    {
                        foreach (char letter in Words[random.Next(Words.Length)].Take(bytes.Length - i))
                        {
                            bytes[i++] = (byte)letter;
                        }
                    }

                    break;
            }

            data.Write(bytes);
        }

        return data.ToArray();
    }

    /// <param name="Kind">r for random bytes, t for text, 0 for zeros, c for a counter.</param>
    /// <param name="Length">Its length.</param>
    internal readonly record struct Piece(char Kind, int Length);
}
