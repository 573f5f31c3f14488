using System.Buffers.Binary;

namespace Restore.Compression.Methods;

/// <summary>The header of LZMA data in a zip entry: two bytes of version, two bytes with the length of the properties, the properties.</summary>
/// <param name="Parameters">The first of the properties: lc, lp and pb in one byte.</param>
/// <param name="DictionaryBytes">How far back the data may refer; a decoder needs this much memory.</param>
internal readonly record struct LzmaHeader(byte Parameters, uint DictionaryBytes)
{
    public const int LengthBytes = 4 + PropertiesLength;

    public const int PropertiesLength = 5;

    // The minimum of liblzma itself.
    private const int MinDictionaryBytes = 4096;

    /// <summary>Reads the header.</summary>
    /// <exception cref="InvalidDataException">The header is damaged.</exception>
    public static LzmaHeader Read(ReadOnlySpan<byte> data, long decodedLengthBytes)
    {
        if (data.Length < LengthBytes || BinaryPrimitives.ReadUInt16LittleEndian(data[2..]) != PropertiesLength)
        {
            throw new InvalidDataException("The header of the LZMA data is damaged");
        }

        // No decoder looks back further than the data is long; a larger dictionary would only cost memory.
        uint declared = BinaryPrimitives.ReadUInt32LittleEndian(data[5..]);
        return new LzmaHeader(data[4], (uint)Math.Min(declared, Math.Max(MinDictionaryBytes, decodedLengthBytes)));
    }

    /// <summary>The properties in the form that LZMA decoders take.</summary>
    public byte[] ToProperties()
    {
        byte[] properties = new byte[PropertiesLength];
        properties[0] = Parameters;
        BinaryPrimitives.WriteUInt32LittleEndian(properties.AsSpan(1), DictionaryBytes);
        return properties;
    }
}
