namespace Restore.Compression.Methods;

/// <summary>
/// Compresses blocks of any content in the way that suits each: as a whole, or only the parts that
/// shrink, or not at all. Samples of the block decide. Not safe for concurrent use.
/// </summary>
internal sealed class BlockDeflater(Codecs codecs, int level) : IDeflater
{
    // 1 KiB of every 64 KiB shows whether the rest is worth trying: a sixty-fourth of the time, and
    // it hardly ever misses a part that shrinks.
    private const int SampleBytes = 1 << 10;
    private const int SampleEveryBytes = 64 << 10;

    // Below this length, a higher level spends most of its time clearing tables. Level 1 takes two
    // thirds of the time and at most a hundredth more bytes.
    private const int TinyBytes = 2 << 10;

    private readonly IDeflater whole = codecs.CreateDeflater(level);
    private readonly IDeflater tiny = codecs.CreateDeflater(1);
    private readonly PiecewiseDeflater piecewise = new(level);
    private byte[] sample = [];
    private byte[] shrunk = [];

    public int Deflate(ReadOnlySpan<byte> source, Span<byte> destination)
    {
        // 1. Without samples, a short block is compressed as a whole.
        // 2. If the samples together do not shrink, the block is not compressed.
        // 3. If most samples have an even spread of bytes, and these do not shrink together, only
        //    parts of the block are worth compressing.
        // 4. Otherwise the block is compressed as a whole.
        int samples = source.Length / SampleEveryBytes;
        if (samples == 0)
        {
            return (source.Length < TinyBytes ? tiny : whole).Deflate(source, destination);
        }

        int evenBytes = Sample(source, samples);
        ReadOnlySpan<byte> taken = sample.AsSpan(0, samples * SampleBytes);
        if (!Shrinks(taken))
        {
            return 0;
        }

        bool isMostlyEven = evenBytes > taken.Length / 2 && !Shrinks(taken[..evenBytes]);
        return (isMostlyEven ? piecewise : whole).Deflate(source, destination);
    }

    public void Dispose()
    {
        whole.Dispose();
        tiny.Dispose();
        piecewise.Dispose();
    }

    /// <summary>
    /// Takes the samples. Samples with an even spread of bytes are stored from the front, the
    /// others from the back.
    /// </summary>
    private int Sample(ReadOnlySpan<byte> source, int samples)
    {
        if (sample.Length < samples * SampleBytes)
        {
            sample = new byte[samples * SampleBytes];
            shrunk = new byte[sample.Length];
        }

        int even = 0;
        for (int i = 0; i < samples; i++)
        {
            ReadOnlySpan<byte> one = source.Slice(i * SampleEveryBytes, SampleBytes);
            bool isEven = ByteSpread.IsEven(one);
            int place = isEven ? even : samples - 1 - (i - even);
            even += isEven ? 1 : 0;
            one.CopyTo(sample.AsSpan(place * SampleBytes));
        }

        return even * SampleBytes;
    }

    private bool Shrinks(ReadOnlySpan<byte> data) =>
        whole.Deflate(data, shrunk.AsSpan(0, data.Length - (data.Length / 64))) > 0;
}
