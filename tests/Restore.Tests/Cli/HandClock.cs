namespace Restore.Tests.Cli;

/// <summary>A clock that stands still in UTC until a test moves it.</summary>
internal sealed class HandClock : TimeProvider
{
    private DateTimeOffset now = new(2026, 9, 1, 12, 0, 0, TimeSpan.Zero);

    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override DateTimeOffset GetUtcNow() => now;

    public override long GetTimestamp() => now.Ticks;

    public void Advance(TimeSpan time) => now += time;
}
