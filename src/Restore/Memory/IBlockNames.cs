namespace Restore.Memory;

/// <summary>Hash and length of numbered blocks.</summary>
internal interface IBlockNames
{
    ReadOnlySpan<byte> HashOf(int number);

    int SizeOf(int number);
}
