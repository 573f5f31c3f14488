using System.Globalization;
using Restore.Storage;

namespace Restore.Tests.Storage;

/// <summary>Rate limits by the time of day.</summary>
public sealed class RateScheduleTests
{
    [Theory]
    [InlineData("00:00", null)]
    [InlineData("07:59", null)]
    [InlineData("08:00", 512L << 10)]
    [InlineData("18:59", 512L << 10)]
    [InlineData("19:00", 10L << 20)]
    [InlineData("23:30", null)]
    public void Each_limit_holds_until_the_next_one(string time, long? expected) =>
        Assert.Equal(
            expected,
            RateSchedule
                .Parse("08:00,512k 19:00,10M 23:00,off")!
                .RateAt(DateTimeOffset.Parse("2026-01-31 " + time, CultureInfo.InvariantCulture))
        );

    [Theory]
    [InlineData("512", 512L << 10)]
    [InlineData("2M", 2L << 20)]
    [InlineData("off", null)]
    [InlineData("0", null)]
    [InlineData("9:30,1.5M", 3L << 19)]
    public void A_rate_alone_holds_all_day(string text, long? expected) =>
        Assert.Equal(expected, RateSchedule.Parse(text)!.RateAt(DateTimeOffset.UnixEpoch));

    [Theory]
    [InlineData("")]
    [InlineData("fast")]
    [InlineData("25:00,1M")]
    [InlineData("08:00,1M 2M")]
    [InlineData("08:00,1M 07:00,2M")]
    [InlineData("08:00,1M 08:00,2M")]
    [InlineData("Mon-08:00,1M")]
    [InlineData("08:00,-1M")]
    public void What_is_no_schedule_is_refused(string text) => Assert.Null(RateSchedule.Parse(text));

    [Fact]
    public async Task A_transfer_waits_only_while_there_is_a_limit()
    {
        FakeClock clock = new();
        string hour = clock.GetLocalNow().ToString("H:mm", CultureInfo.InvariantCulture);
        TransferThrottle limited = new(RateSchedule.Parse("1k")!, clock);
        Assert.False(limited.PayAsync(10_000, CancellationToken.None).AsTask().IsCompleted);
        TransferThrottle free = new(RateSchedule.Parse($"{hour},off")!, clock);
        await free.PayAsync(int.MaxValue, CancellationToken.None);
    }

    [Fact]
    public async Task A_limit_that_cannot_be_used_is_named()
    {
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            Backup.OpenAsync("webdav://localhost:1/folder?bwlimit=fast")
        );
        Assert.Equal(RestoreErrorCode.StoreOptionInvalid, failure.Code);
        Assert.StartsWith(
            "The option bwlimit is a rate such as 2mb, or rates by time",
            failure.Message,
            StringComparison.Ordinal
        );
    }
}
