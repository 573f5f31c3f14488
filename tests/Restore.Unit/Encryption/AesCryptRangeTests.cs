using Restore.Encryption;

namespace Restore.Tests.Encryption;

public class AesCryptRangeTests
{
    private static ValueTask<AesCryptSession> OpenAsync(ReadOnlyMemory<byte> stream) =>
        AesCryptSession.OpenAsync(
            stream,
            "correct horse",
            new KeyBudget(Ciphering.MaxKeyIterations),
            CancellationToken.None
        );

    private static byte[] Sample(string name) => File.ReadAllBytes(Path.Combine(Fixtures.Folder("aes-samples"), name));

    [Theory]
    [InlineData("v0-5000.aes")]
    [InlineData("v1-5000.aes")]
    [InlineData("v2-100001.aes")]
    [InlineData("v3-5000.aes")]
    public async Task Any_range_decrypts_from_just_its_own_bytes(string name)
    {
        byte[] stream = Sample(name);
        byte[] text = (await Ciphering.DecryptAes(stream, "correct horse")).Text;
        using var session = await OpenAsync(stream.AsMemory(0, 400));
        int[] offsets =
        [
            0,
            1,
            15,
            16,
            17,
            31,
            32,
            33,
            1000,
            4096,
            text.Length - 17,
            text.Length - 16,
            text.Length - 1,
            text.Length,
        ];
        foreach (int offset in offsets)
        {
            foreach (int length in new[] { 0, 1, 15, 16, 17, 48, 333 }.Where(l => offset + l <= text.Length))
            {
                AesCryptRange range = session.RangeOf(offset, length);
                byte[] fetched = stream[(int)range.Offset..((int)range.Offset + range.Length)];

                Assert.Equal(text[offset..(offset + length)], (await session.DecryptAsync(range, fetched)).ToArray());
                Assert.True(
                    range.Length <= length + 46,
                    "at most a part of a block on either side, and the block before"
                );
            }
        }
    }

    [Fact]
    public async Task Blocks_decrypt_in_place_given_the_ciphertext_before_them()
    {
        byte[] stream = Sample("v2-4096.aes");
        byte[] text = (await Ciphering.DecryptAes(stream, "correct horse")).Text;
        using var session = await OpenAsync(stream);
        int body = session.Header.BodyOffset;

        byte[] fromTheStart = stream[body..(body + 64)];
        await session.DecryptRangeAsync(fromTheStart, default);
        byte[] fromTheMiddle = stream[(body + 2048)..(body + 4096)];
        await session.DecryptRangeAsync(fromTheMiddle, stream.AsMemory(body + 2032, 16));

        Assert.Equal(text[..64], fromTheStart);
        Assert.Equal(text[2048..], fromTheMiddle);
    }

    [Fact]
    public async Task The_end_of_a_stream_has_the_length_of_its_text()
    {
        byte[] stream = Sample("v2-100001.aes");
        using var session = await OpenAsync(stream.AsMemory(0, 400));
        AesCryptLayout layout = session.Header.LayoutOf(stream.Length);

        Assert.True(session.TryGetPlainLength(layout, stream[^33], [], out long plainBytes));

        Assert.Equal(100_001, plainBytes);
    }
}
