using Restore.Encryption;

namespace Restore.Tests.Encryption;

public sealed class OpenPgpMessageTests
{
    // A key packet of two bytes, then encrypted data.
    private static readonly byte[] Key = [0x8C, 2, 4, 9];

    public static TheoryData<string, byte[], int> Messages() =>
        new()
        {
            { "whole, one length", [0xD2, 3, 1, 2, 3], 5 },
            { "whole, partial lengths", [0xD2, 0xE1, 1, 2, 1, 3], 6 },
            { "added to", [0xD2, 1, 1, 0, 0, 0], 3 },
            { "added to, partial lengths", [0xD2, 0xE1, 1, 2, 1, 3, 0, 0], 6 },
            { "added to, old form", [0xA4, 1, 7, 0], 3 },
            { "cut", [0xD2, 0xC0, 9, 1, 2], 5 },
            { "cut before a length", [0xD2, 0xE1, 1, 2], 4 },
            { "cut, old form", [0xA5, 0, 9, 1, 2], 5 },
            { "of a length that is not recorded", [0xA7, 1, 2, 3], 4 },
            { "with a length beyond all memory", [0xD2, 0xFF, 255, 255, 255, 255, 1], 7 },
        };

    [Theory]
    [MemberData(nameof(Messages))]
    public void The_end_of_a_message_is_found_by_its_lengths(string what, byte[] data, int length) =>
        Assert.True(OpenPgpMessage.LengthOf([.. Key, .. data]) == Key.Length + length, what);

    [Fact]
    public void Data_that_is_no_encrypted_message_stays_as_it_is()
    {
        Random random = new(1);
        for (int i = 0; i < 2000; i++)
        {
            byte[] data = new byte[random.Next(40)];
            random.NextBytes(data);
            Assert.InRange(OpenPgpMessage.LengthOf(data), 0, data.Length);
        }

        Assert.Equal(13, OpenPgpMessage.LengthOf("PK no message"u8));
        Assert.Equal(0, OpenPgpMessage.LengthOf([]));
    }
}
