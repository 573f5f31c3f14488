using Restore.Ends.Linux;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Ends;

/// <summary>When large files are written past the page cache.</summary>
[NeedsLinux]
public sealed class DirectWritesTests
{
    private const int Megabyte = 1 << 20;

    private long now = 1_000_000;

    [Fact]
    public void A_fast_device_is_written_past_the_cache_to_the_end()
    {
        using DirectWrites writes = new(TimeProvider.System);
        Note(writes, 1000, TimeSpan.FromMilliseconds(1));
        Assert.True(writes.IsWorthwhile);
        Assert.NotNull(writes.TryRent());
    }

    [Fact]
    public void A_slow_device_is_left_to_the_cache_as_soon_as_that_is_known()
    {
        using DirectWrites writes = new(TimeProvider.System);
        Note(writes, 63, TimeSpan.FromMilliseconds(10));
        Assert.True(writes.IsWorthwhile);
        Note(writes, 1, TimeSpan.FromMilliseconds(10));
        Assert.False(writes.IsWorthwhile);
        Assert.Null(writes.TryRent());
    }

    [Fact]
    public void Files_that_share_a_fast_device_do_not_make_it_a_slow_one()
    {
        using DirectWrites writes = new(TimeProvider.System);
        Note(writes, 640, TimeSpan.FromMilliseconds(10), files: 8);
        Assert.True(writes.IsWorthwhile);
    }

    [Fact]
    public void A_file_system_that_refuses_such_writes_is_not_asked_again()
    {
        using DirectWrites writes = new(TimeProvider.System);
        writes.Refuse();
        Assert.Null(writes.TryRent());
    }

    [Fact]
    public void The_buffers_are_few_and_used_again()
    {
        using DirectWrites writes = new(TimeProvider.System);
        List<WriteBehind> rented = [];
        while (writes.TryRent() is { } buffers)
        {
            rented.Add(buffers);
        }

        Assert.Equal(8, rented.Count);
        writes.GiveBack(rented[3]);
        Assert.Same(rented[3], writes.TryRent());
        Assert.Null(writes.TryRent());
    }

    /// <summary>One write after the other, by several files at the same time.</summary>
    private void Note(DirectWrites writes, int megabytes, TimeSpan timeOfEach, int files = 1)
    {
        long ticks = (long)(timeOfEach.TotalSeconds * TimeProvider.System.TimestampFrequency);
        for (int i = 0; i < megabytes; i += files)
        {
            for (int file = 0; file < files; file++)
            {
                writes.Note(Megabyte, now, now + ticks);
            }

            now += ticks;
        }
    }
}
