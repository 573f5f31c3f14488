using FsCheck;
using FsCheck.Fluent;
using Restore.Interop;

namespace Restore.Tests.Ends;

public sealed class UnixTimeTests
{
    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(1, 0, 100)]
    [InlineData(-1, -1, 999_999_900)]
    [InlineData(-10_000_000, -1, 0)]
    [InlineData(-10_000_001, -2, 999_999_900)]
    public void Seconds_are_rounded_down_so_that_the_rest_is_never_negative(
        long ticksSince1970,
        long seconds,
        long nanoseconds
    ) =>
        Assert.Equal(new UnixTime(seconds, nanoseconds), UnixTime.FromTicks(DateTime.UnixEpoch.Ticks + ticksSince1970));

    [Fact]
    public void Every_time_of_a_DateTime_comes_back()
    {
        Gen<long> ticks = Gen.Choose(int.MinValue, int.MaxValue)
            .Two()
            .Select(pair =>
                (long)((((ulong)(uint)pair.Item1 << 32) | (uint)pair.Item2) % (ulong)(DateTime.MaxValue.Ticks + 1))
            );
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                ticks.ToArbitrary(),
                value =>
                    UnixTime.FromTicks(value).ToTicks() == value
                    && UnixTime.FromTicks(value).Nanoseconds is >= 0 and < 1_000_000_000
            )
        );
        Assert.Equal(DateTime.MaxValue.Ticks, UnixTime.FromTicks(DateTime.MaxValue.Ticks).ToTicks());
        Assert.Equal(0, UnixTime.FromTicks(0).ToTicks());
    }

    [Fact]
    public void What_a_file_system_says_is_held_within_the_range_of_a_DateTime()
    {
        Assert.Equal(DateTime.MaxValue.Ticks, new UnixTime(long.MaxValue, 999_999_999).ToTicks());
        Assert.Equal(DateTime.MinValue.Ticks, new UnixTime(long.MinValue, 0).ToTicks());
    }
}
