using System.Buffers.Binary;
using System.IO.Hashing;
using System.Text;

namespace Restore.Tests.Web.Browser;

/// <summary>
/// Screenshots one after another, as one animated PNG that begins again at its end.
/// </summary>
internal static class MovingPicture
{
    private const int SignatureBytes = 8;

    /// <param name="frames">Pictures of one size and kind, as PNG.</param>
    /// <param name="milliseconds">How long each is shown.</param>
    public static byte[] Of(IReadOnlyList<byte[]> frames, ushort milliseconds)
    {
        using MemoryStream picture = new();
        picture.Write(frames[0].AsSpan(0, SignatureBytes));
        byte[] header = Chunks(frames[0]).First(chunk => chunk.Type == "IHDR").Data;
        Write(picture, "IHDR", header);
        Write(picture, "acTL", [.. Number(frames.Count), .. Number(0)]);
        int sequence = 0;
        for (int i = 0; i < frames.Count; i++)
        {
            byte[] delay = [(byte)(milliseconds >> 8), (byte)milliseconds, 1000 >> 8, 1000 & 255];
            Write(picture, "fcTL", [.. Number(sequence++), .. header[..8], .. Number(0), .. Number(0), .. delay, 0, 0]);
            foreach ((string _, byte[] data) in Chunks(frames[i]).Where(chunk => chunk.Type == "IDAT"))
            {
                Write(picture, i == 0 ? "IDAT" : "fdAT", i == 0 ? data : [.. Number(sequence++), .. data]);
            }
        }

        Write(picture, "IEND", []);
        return picture.ToArray();
    }

    private static IEnumerable<(string Type, byte[] Data)> Chunks(byte[] png)
    {
        for (int at = SignatureBytes; at < png.Length; )
        {
            int length = BinaryPrimitives.ReadInt32BigEndian(png.AsSpan(at));
            yield return (Encoding.ASCII.GetString(png, at + 4, 4), png[(at + 8)..(at + 8 + length)]);
            at += length + 12;
        }
    }

    private static void Write(Stream picture, string type, byte[] data)
    {
        byte[] body = [.. Encoding.ASCII.GetBytes(type), .. data];
        picture.Write(Number(data.Length));
        picture.Write(body);
        picture.Write(Number((int)Crc32.HashToUInt32(body)));
    }

    private static byte[] Number(int value)
    {
        byte[] bytes = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(bytes, value);
        return bytes;
    }
}
