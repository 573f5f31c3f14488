using System.IO.Hashing;

namespace Restore.Assessment;

/// <summary>
/// Which contents each path had before its newest one: what returns to an older content was brought
/// back by a person, as neither malware nor an accident can. The seed is random, so that no backup
/// chooses contents that collide.
/// </summary>
internal sealed class OlderContents
{
    // About 500 MB; of more changes the first count.
    private const int Most = 16 << 20;

    private readonly long seed = BinaryPrimitives.ReadInt64LittleEndian(RandomNumberGenerator.GetBytes(sizeof(long)));
    private readonly HashSet<ulong> pairs = [];

    public void Add(int row, ulong content)
    {
        if (content != 0 && pairs.Count < Most)
        {
            pairs.Add(KeyOf(row, content));
        }
    }

    public bool Has(int row, ulong content) => content != 0 && pairs.Contains(KeyOf(row, content));

    private ulong KeyOf(int row, ulong content)
    {
        Span<byte> pair = stackalloc byte[sizeof(int) + sizeof(ulong)];
        BinaryPrimitives.WriteInt32LittleEndian(pair, row);
        BinaryPrimitives.WriteUInt64LittleEndian(pair[sizeof(int)..], content);
        return XxHash3.HashToUInt64(pair, seed);
    }
}
