using Restore.Cli.Rendering;

namespace Restore.Tests.Cli;

/// <summary>The rate and the time left that a progress shows.</summary>
public sealed class RateMeterTests
{
    private static RestoreProgress At(double seconds, long megabytes, RestorePhase phase = RestorePhase.Restoring) =>
        new(
            phase,
            megabytes,
            1000,
            megabytes << 20,
            1000L << 20,
            (int)(megabytes / 50),
            20,
            megabytes << 19,
            TimeSpan.FromSeconds(seconds)
        );

    private static RestoreProgress Fetching(double seconds, long megabytes) =>
        At(seconds, 0) with
        {
            BytesFetched = megabytes << 20,
            BytesToFetch = 500L << 20,
        };

    [Fact]
    public void After_a_fast_start_the_time_left_is_soon_that_of_the_present_rate()
    {
        // 200 MiB come in the first second, then one each second: 90 s remain after 10 s.
        var rate = new RateMeter();
        rate.Observe(Fetching(0, 0));
        for (var tenth = 1; tenth <= 10; tenth++)
        {
            rate.Observe(Fetching(tenth / 10.0, tenth * 20));
        }

        for (var second = 2; second <= 20; second++)
        {
            rate.Observe(Fetching(second, 199 + second));
        }

        Assert.InRange(rate.Left!.Value.TotalSeconds, 200, 290);
        Assert.InRange(rate.BytesPerSecond, 1 << 19, 1 << 21);
    }

    [Fact]
    public void The_rate_is_the_mean_of_its_curve_and_without_it_there_is_no_time_left()
    {
        var rate = new RateMeter();
        for (var second = 0; second <= 40; second++)
        {
            rate.Observe(Fetching(second, Math.Min(second, 20) * Math.Min(second, 20) / 4));
            if (rate.Recent.Count > 0)
            {
                Assert.Equal(rate.Recent.Average(), rate.BytesPerSecond, tolerance: 1);
            }
        }

        Assert.Equal(0, rate.BytesPerSecond);
        Assert.Null(rate.Left);
    }

    [Fact]
    public void When_everything_has_come_the_time_left_is_that_of_what_is_in_place()
    {
        var rate = new RateMeter();
        for (var second = 0; second <= 20; second++)
        {
            rate.Observe(
                At(second, second * 10) with
                {
                    BytesFetched = Math.Min(500, second * 100) << 20,
                    BytesToFetch = 500 << 20,
                }
            );
        }

        Assert.Equal(80, rate.Left!.Value.TotalSeconds);
    }

    [Fact]
    public void What_was_in_place_at_the_start_does_not_count_for_the_rate()
    {
        var rate = new RateMeter();
        rate.Observe(At(0, 500));
        Assert.Equal(0, rate.BytesPerSecond);
        Assert.Null(rate.Left);
        rate.Observe(At(10, 600));
        Assert.Equal(10 << 20, rate.BytesPerSecond);
        Assert.Equal(TimeSpan.FromSeconds(40), rate.Left);
    }

    [Fact]
    public void A_rate_follows_the_last_seconds_and_starts_again_with_a_phase()
    {
        var rate = new RateMeter();
        rate.Observe(At(0, 0));
        rate.Observe(At(10, 100));
        rate.Observe(At(60, 100));
        Assert.InRange(rate.BytesPerSecond, 0, 1 << 20);
        rate.Observe(At(0, 100, RestorePhase.Finishing));
        Assert.Equal(0, rate.BytesPerSecond);
    }
}
