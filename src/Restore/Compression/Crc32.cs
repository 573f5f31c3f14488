using System.Buffers.Binary;

namespace Restore.Compression;

/// <summary>The CRC-32 of zip (polynomial 0xEDB88320, reflected), eight bytes a step.</summary>
internal static class Crc32
{
    private static readonly uint[] Table = CreateTable();

    /// <summary>Continues the CRC of what came before (0 at the start) with more data.</summary>
    public static uint Append(uint crc, ReadOnlySpan<byte> data)
    {
        ReadOnlySpan<uint> table = Table;
        crc = ~crc;
        while (data.Length >= 8)
        {
            uint low = BinaryPrimitives.ReadUInt32LittleEndian(data) ^ crc;
            uint high = BinaryPrimitives.ReadUInt32LittleEndian(data[4..]);
            crc = table[0x700 + (int)(low & 0xFF)] ^ table[0x600 + (int)((low >> 8) & 0xFF)]
                ^ table[0x500 + (int)((low >> 16) & 0xFF)] ^ table[0x400 + (int)(low >> 24)]
                ^ table[0x300 + (int)(high & 0xFF)] ^ table[0x200 + (int)((high >> 8) & 0xFF)]
                ^ table[0x100 + (int)((high >> 16) & 0xFF)] ^ table[(int)(high >> 24)];
            data = data[8..];
        }

        foreach (byte value in data)
        {
            crc = table[(int)((crc ^ value) & 0xFF)] ^ (crc >> 8);
        }

        return ~crc;
    }

    /// <summary>Eight tables of 256: table k advances a byte by k more zero bytes.</summary>
    private static uint[] CreateTable()
    {
        uint[] table = new uint[8 * 256];
        for (uint i = 0; i < 256; i++)
        {
            uint crc = i;
            for (int bit = 0; bit < 8; bit++)
            {
                crc = (crc >> 1) ^ (0xEDB88320 & (0u - (crc & 1)));
            }

            table[i] = crc;
        }

        for (int i = 256; i < table.Length; i++)
        {
            uint previous = table[i - 256];
            table[i] = (previous >> 8) ^ table[previous & 0xFF];
        }

        return table;
    }
}
