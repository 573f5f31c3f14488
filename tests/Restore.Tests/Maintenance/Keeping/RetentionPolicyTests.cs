using Restore.Maintenance.Delete;
using Restore.Tests.Writing;

namespace Restore.Tests.Maintenance.Keeping;

/// <summary>
/// Which versions go: by examples that Duplicati's own tests and manual have, and against a model
/// that says it by definition.
/// </summary>
public sealed class RetentionPolicyTests
{
    private static readonly DateTimeOffset Now = new(2026, 11, 23, 12, 0, 0, TimeSpan.Zero);

    [Fact]
    public void Keeping_two_full_versions_takes_older_ones_and_the_partial_ones_between() =>
        Assert.Equal(
            "P F p F p f",
            Show(
                [.. "PFPFPF".Select((kind, i) => new RetainedVersion(Now.AddDays(-i), kind == 'F'))],
                new RetentionRules { KeepVersions = 2 }
            )
        );

    [Theory]
    [InlineData(1, "F f f f")]
    [InlineData(3, "F F F f")]
    [InlineData(4, "F F F F")]
    [InlineData(0, "F F F F")]
    public void So_many_full_versions_stay(int count, string expected) =>
        Assert.Equal(
            expected,
            Show(
                [.. Enumerable.Range(0, 4).Select(i => new RetainedVersion(Now.AddDays(-i), true))],
                new() { KeepVersions = count }
            )
        );

    [Fact]
    public void What_is_older_than_the_time_to_keep_stays_until_there_is_a_full_version()
    {
        RetainedVersion[] versions =
        [
            new(Now, false),
            new(Now.AddDays(-1), false),
            new(Now.AddDays(-2), true),
            new(Now.AddDays(-3), true),
        ];
        RetentionRules rules = new() { KeepSince = Now.AddDays(-1) };
        Assert.Equal("P P F f", Show(versions, rules));
        Assert.Equal(
            "F p p f f",
            Show([new(Now.AddHours(1), true), .. versions], rules with { KeepSince = Now.AddHours(1), IsExact = true })
        );
    }

    [Theory]
    [InlineData(60, false, "F F")]
    [InlineData(61, false, "F f")]
    [InlineData(1, true, "F f")]
    public void A_time_to_keep_has_a_tolerance_of_at_most_an_hour(int minutesBefore, bool isExact, string expected) =>
        Assert.Equal(
            expected,
            Show(
                [new(Now, true), new(Now.AddDays(-30).AddMinutes(-minutesBefore), true)],
                new() { KeepSince = Now.AddDays(-30), IsExact = isExact }
            )
        );

    [Fact]
    public void A_time_to_keep_of_some_hours_has_a_hundredth_of_them_as_tolerance()
    {
        RetentionRules rules = new() { KeepSince = Now.AddHours(-10) };
        Assert.Equal("F F", Show([new(Now, true), new(Now.AddHours(-10).AddMinutes(-6), true)], rules));
        Assert.Equal("F f", Show([new(Now, true), new(Now.AddHours(-10).AddMinutes(-7), true)], rules));
    }

    [Fact]
    public void A_policy_keeps_the_oldest_of_each_interval_and_all_partial_versions()
    {
        (TimeSpan Age, bool IsFull, bool Goes)[] all =
        [
            (TimeSpan.Zero, false, false),
            (TimeSpan.FromSeconds(1), true, false),
            (TimeSpan.FromSeconds(2), true, false),
            (TimeSpan.FromMinutes(1), false, false),
            (TimeSpan.FromHours(1), false, false),
            (TimeSpan.FromDays(1), false, false),
            (TimeSpan.FromDays(6), true, false),
            // One a day for three months, which are 90 days.
            (TimeSpan.FromDays(8) - TimeSpan.FromHours(2), true, true),
            (TimeSpan.FromDays(8) - TimeSpan.FromHours(1), true, true),
            (TimeSpan.FromDays(8), true, false),
            (TimeSpan.FromDays(31) - TimeSpan.FromHours(2), true, false),
            (TimeSpan.FromDays(31) - TimeSpan.FromHours(1), false, false),
            (TimeSpan.FromDays(31), false, false),
            (TimeSpan.FromDays(61) - TimeSpan.FromHours(1), true, true),
            (TimeSpan.FromDays(61), true, false),
            (TimeSpan.FromDays(89) - TimeSpan.FromHours(2), true, true),
            (TimeSpan.FromDays(89) - TimeSpan.FromHours(1), true, false),
            // One a week for a year.
            (TimeSpan.FromDays(91), true, true),
            (TimeSpan.FromDays(92), true, false),
            (TimeSpan.FromDays(161), false, false),
            (TimeSpan.FromDays(162), false, false),
            (TimeSpan.FromDays(163), false, false),
            (TimeSpan.FromDays(231), true, true),
            (TimeSpan.FromDays(232), true, false),
            // One a month, of 30 days, without end.
            (TimeSpan.FromDays(395), true, true),
            (TimeSpan.FromDays(396), true, false),
            (TimeSpan.FromDays(20_000), true, false),
            (TimeSpan.FromDays(20_029), false, false),
        ];
        RetentionResult[] verdicts = RetentionDecision.Of(
            [.. all.Select(version => new RetainedVersion(Now - version.Age, version.IsFull))],
            new() { Policy = Policy("1W:U,3M:1D,1Y:1W,U:1M") },
            Now
        );
        Assert.Equal(
            all.Select(version => $"{version.Age} {version.Goes}"),
            all.Zip(verdicts, (version, verdict) => $"{version.Age} {verdict.IsDeleted}")
        );
        Assert.Contains("3M:1D", verdicts[7].Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_older_than_all_frames_goes_and_the_newest_only_if_all_may()
    {
        RetainedVersion[] versions =
        [
            new(Now.AddDays(-100), true),
            new(Now.AddDays(-101), true),
            new(Now.AddDays(-102), false),
        ];
        RetentionRules rules = new() { Policy = Policy("7D:1D,4W:1W") };
        Assert.Equal("F f p", Show(versions, rules));
        Assert.Equal("f f p", Show(versions, rules with { AllowsFullRemoval = true }));
    }

    [Fact]
    public void Named_versions_go_but_the_newest_stays_if_all_are_named()
    {
        RetainedVersion[] versions = [new(Now, true), new(Now.AddDays(-1), true), new(Now.AddDays(-2), true)];
        Assert.Equal("f F f", Show(versions, new() { Versions = [2, 0] }));
        Assert.Equal("F f f", Show(versions, new() { Versions = [0, 1, 2] }));
        Assert.Equal("f f f", Show(versions, new() { Versions = [0, 1, 2], AllowsFullRemoval = true }));
        Assert.Equal("f F f", Show(versions, new() { Versions = [0], KeepVersions = 1 }));
    }

    [Fact]
    public void Without_versions_or_rules_nothing_goes()
    {
        Assert.Empty(
            RetentionDecision.Of(
                [],
                new()
                {
                    KeepVersions = 1,
                    Policy = Policy("7D:1D"),
                    KeepSince = Now,
                },
                Now
            )
        );
        Assert.Equal("F p".ToUpperInvariant(), Show([new(Now, true), new(Now.AddYears(-50), false)], new()));
    }

    [Theory]
    [InlineData("7D:1D,4W:1W,12M:1M", "7.00:00:00/1.00:00:00 28.00:00:00/7.00:00:00 360.00:00:00/30.00:00:00")]
    [InlineData(" 1W:U , u:1Y,", "7.00:00:00/00:00:00 /365.00:00:00")]
    [InlineData("1D12h:90m", "1.12:00:00/01:30:00")]
    [InlineData("1D:0s", "1.00:00:00/00:00:00")]
    public void A_policy_is_read_as_Duplicati_reads_it(string text, string expected) =>
        Assert.Equal(
            expected,
            string.Join(' ', Policy(text).Frames.Select(frame => $"{frame.Length}/{frame.Interval}"))
        );

    [Theory]
    [InlineData("", "no time frame")]
    [InlineData("7D", "'7D' is not")]
    [InlineData("7D:1D:5h", "'7D:1D:5h' is not")]
    [InlineData("7D:1D,x:1D", "'x:1D' is not")]
    [InlineData("7:1", "'7:1' is not")]
    [InlineData("1D:1W", "not shorter")]
    [InlineData("1D:1D", "not shorter")]
    [InlineData("0s:0s", "without length")]
    [InlineData("9999999Y:1D", "is not")]
    public void What_is_no_policy_is_refused_with_the_part_that_is_wrong(string text, string reason)
    {
        Assert.False(RetentionPolicy.TryParse(text, out RetentionPolicy? policy, out string? error));
        Assert.Null(policy);
        Assert.Contains(reason, error, StringComparison.Ordinal);
    }

    [Fact]
    public void Decisions_are_those_of_the_model()
    {
        string[] policies = ["1W:U,3M:1D,1Y:1W,U:1M", "7D:1D,4W:1W,12M:1M", "U:1D", "1D:U", "2D:1h,1D:10m,2D:6h"];
        for (int seed = 0; seed < 3000; seed++)
        {
            Random random = new(seed);
            int span = random.Next(1, 1000);
            RetainedVersion[] versions =
            [
                .. Enumerable
                    .Range(0, random.Next(12))
                    .Select(_ => Now.AddHours(-random.Next(span * 24)))
                    .Distinct()
                    .OrderDescending()
                    .Select(time => new RetainedVersion(time, random.Next(3) > 0)),
            ];
            RetentionRules rules = new()
            {
                KeepVersions = random.Next(3) == 0 ? random.Next(5) : null,
                KeepSince = random.Next(3) == 0 ? Now.AddHours(-random.Next(span * 24)) : null,
                IsExact = random.Next(2) == 0,
                Policy = random.Next(3) == 0 ? Policy(policies[random.Next(policies.Length)]) : null,
                Versions = [.. Enumerable.Range(0, versions.Length).Where(_ => random.Next(8) == 0)],
                AllowsFullRemoval = random.Next(4) == 0,
            };
            bool[] decided = [.. RetentionDecision.Of(versions, rules, Now).Select(verdict => verdict.IsDeleted)];
            Assert.True(
                new RetentionModel(versions, rules, Now).Deleted().SequenceEqual(decided),
                $"Seed {seed}: {string.Join(' ', decided)}"
            );
            Assert.True(
                versions.Length == 0 || rules.AllowsFullRemoval || decided.Contains(false),
                $"Seed {seed}: nothing is left"
            );
        }
    }

    private static RetentionPolicy Policy(string text) =>
        RetentionPolicy.TryParse(text, out RetentionPolicy? policy, out string? error)
            ? policy
            : throw new ArgumentException(error);

    /// <summary>
    /// F for a full version and P for a partial one, in small letters if it goes.
    /// </summary>
    [Fact]
    public async Task Versions_are_apart_by_what_a_clock_on_the_wall_showed()
    {
        // From half past two to three o'clock of the next day, in a night that lacks an hour.
        DateTimeOffset first = new(2026, 3, 28, 1, 30, 0, TimeSpan.Zero);
        using RoundTrip trip = new();
        foreach (TimeSpan later in (TimeSpan[])[TimeSpan.Zero, TimeSpan.FromHours(23.5), TimeSpan.FromHours(60)])
        {
            await File.WriteAllTextAsync(
                Path.Join(trip.Source, "file"),
                $"{later}",
                TestContext.Current.CancellationToken
            );
            await trip.WriteAsync(trip.Options with { Time = first + later });
        }

        foreach ((string zone, int deleted) in ((string, int)[])[("Europe/Berlin", 0), ("Etc/UTC", 1)])
        {
            FakeClock clock = new() { StartsAt = first.AddDays(3), Zone = TimeZoneInfo.FindSystemTimeZoneById(zone) };
            await using Backup backup = await Backup.OpenAsync(
                trip.Destination,
                new BackupOptions { TimeProvider = clock }
            );
            DeletionPlan plan = await backup.Maintenance.PlanDeletionAsync(
                new RetentionRules { Policy = Policy("7D:1D") }
            );
            Assert.Equal(deleted, plan.Deleted.Count());
        }
    }

    private static string Show(IReadOnlyList<RetainedVersion> versions, RetentionRules rules) =>
        string.Join(
            ' ',
            RetentionDecision
                .Of(versions, rules, Now)
                .Zip(
                    versions,
                    (verdict, version) =>
                        (version.IsFull, verdict.IsDeleted) switch
                        {
                            (true, false) => "F",
                            (true, true) => "f",
                            (false, false) => "P",
                            _ => "p",
                        }
                )
        );
}
