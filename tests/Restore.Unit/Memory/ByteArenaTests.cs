using Restore.Memory;

namespace Restore.Tests.Memory;

public sealed class ByteArenaTests
{
    private const int SegmentBytes = 1 << 20;

    [Fact]
    public void Strings_keep_their_handles_in_what_is_saved()
    {
        ByteArena arena = new();
        long[] handles = [arena.Add("a"u8), arena.Add(new byte[SegmentBytes]), arena.Add("name"u8)];
        ByteArena loaded = new();
        loaded.Load(new BinaryReader(new MemoryStream(Saved(arena))));

        Assert.Equal("a"u8, loaded.Get(handles[0]));
        Assert.Equal(SegmentBytes, loaded.Get(handles[1]).Length);
        Assert.Equal("name"u8, loaded.Get(handles[2]));
    }

    /// <summary>A saved plan has no bytes but its own.</summary>
    [Fact]
    public void What_memory_held_before_is_not_saved()
    {
        for (int round = 0; round < 20; round++)
        {
            // Garbage of the same size, for the next segments.
            for (int i = 0; i < 20; i++)
            {
                GC.AllocateUninitializedArray<byte>(SegmentBytes).AsSpan().Fill(0xAB);
            }

            GC.Collect();
            ByteArena arena = new();
            arena.Add("a"u8);
            arena.Add(new byte[SegmentBytes]);
            Assert.DoesNotContain((byte)0xAB, Saved(arena));
        }
    }

    private static byte[] Saved(ByteArena arena)
    {
        using MemoryStream saved = new();
        using BinaryWriter writer = new(saved);
        arena.Save(writer);
        writer.Flush();
        return saved.ToArray();
    }
}
