namespace Restore.Tests;

public class TimeExpressionTests
{
    private static readonly FakeClock Clock = new()
    {
        StartsAt = new DateTimeOffset(2026, 3, 31, 12, 0, 0, TimeSpan.Zero),
        Zone = TimeZoneInfo.CreateCustomTimeZone("two", TimeSpan.FromHours(2), "two", "two"),
    };

    [Theory]
    [InlineData("now", "2026-03-31T12:00:00Z")]
    [InlineData(" NOW ", "2026-03-31T12:00:00Z")]
    [InlineData("20260131T235958Z", "2026-01-31T23:59:58Z")]
    [InlineData("2026-01-31", "2026-01-30T22:00:00Z")]
    [InlineData("2026-01-31Z", "2026-01-31T00:00:00Z")]
    [InlineData("2026-01-31T23:59", "2026-01-31T21:59:00Z")]
    [InlineData("2026-01-31 23:59:58", "2026-01-31T21:59:58Z")]
    [InlineData("2026-01-31T23:59:58Z", "2026-01-31T23:59:58Z")]
    [InlineData("2026-01-31T23:59:58.5Z", "2026-01-31T23:59:58.5Z")]
    [InlineData("2026-01-31T23:59:58-05:00", "2026-02-01T04:59:58Z")]
    [InlineData("2026-01-31 23:59:58 +00:00", "2026-01-31T23:59:58Z")]
    [InlineData("2026-01-31 23:59:58 +05:30", "2026-01-31T18:29:58Z")]
    [InlineData("2026-01-31 23:59:58 -0500", "2026-02-01T04:59:58Z")]
    [InlineData("2026-01-31T23:59:58+05", "2026-01-31T18:59:58Z")]
    [InlineData("2026-01-31 23:59:58 UTC", "2026-01-31T23:59:58Z")]
    [InlineData("2026-01-31 23:59 utc", "2026-01-31T23:59:00Z")]
    [InlineData("2026-01-31 23:59:58.123 +02:00", "2026-01-31T21:59:58.123Z")]
    [InlineData("2026-01-31t23:59:58z", "2026-01-31T23:59:58Z")]
    [InlineData("2026-01-31 UTC", "2026-01-31T00:00:00Z")]
    [InlineData("2026-01-31 -05:00", "2026-01-31T05:00:00Z")]
    [InlineData("2026-01-31T23-59-58Z", "2026-01-31T23:59:58Z")]
    [InlineData("2026-01-31T23-59-58", "2026-01-31T21:59:58Z")]
    [InlineData("20260131T235958+0530", "2026-01-31T18:29:58Z")]
    [InlineData("20260131T235958", "2026-01-31T21:59:58Z")]
    [InlineData("duplicati-20260131T235958Z.dlist.zip.aes", "2026-01-31T23:59:58Z")]
    [InlineData("my.job-20260131T235958Z.dlist.zip", "2026-01-31T23:59:58Z")]
    [InlineData("2D", "2026-03-29T12:00:00Z")]
    [InlineData("-2D", "2026-03-29T12:00:00Z")]
    [InlineData("2d ago", "2026-03-29T12:00:00Z")]
    [InlineData("-2D ago", "2026-03-29T12:00:00Z")]
    [InlineData("1M", "2026-02-28T12:00:00Z")]
    [InlineData("90m", "2026-03-31T10:30:00Z")]
    [InlineData("1W1D", "2026-03-23T12:00:00Z")]
    [InlineData("1h30m15s", "2026-03-31T10:29:45Z")]
    [InlineData("2Y", "2024-03-31T12:00:00Z")]
    public void A_time_is_now_or_a_date_or_a_span_before_now(string text, string expected)
    {
        Assert.True(TimeExpression.TryParse(text, Clock, out DateTimeOffset time));
        Assert.Equal(
            DateTimeOffset.Parse(expected, System.Globalization.CultureInfo.InvariantCulture).UtcDateTime,
            time.UtcDateTime
        );
    }

    [Theory]
    [InlineData("")]
    [InlineData("-")]
    [InlineData("ago")]
    [InlineData(" ago")]
    [InlineData("+2D")]
    [InlineData("2")]
    [InlineData("3600")]
    [InlineData("2X")]
    [InlineData("D")]
    [InlineData("2D 3h")]
    [InlineData("--2D")]
    [InlineData("01/02/2026")]
    [InlineData("2026-02-30")]
    [InlineData("2026-01-31 23:59:58 CET")]
    [InlineData("2026-01-31 23:59:58 +99:00")]
    [InlineData("2026-01-31-31")]
    [InlineData("UTC")]
    [InlineData("duplicati-i0123456789abcdef0123456789abcdef.dindex.zip")]
    [InlineData("0001-01-01")]
    [InlineData("9999Y")]
    [InlineData("2147483647D")]
    [InlineData("99999999999D")]
    public void An_invalid_or_ambiguous_time_is_refused(string text) =>
        Assert.False(TimeExpression.TryParse(text, Clock, out _));
}
