using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Reflection;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Logging;
using Restore.Storage;
using Restore.Tests.FixtureTests;

namespace Restore.Tests;

/// <summary>What a host can watch: log events, activities and counters.</summary>
public sealed partial class RestoreTelemetryTests
{
    private static readonly FixtureBackup Sound = FixtureCatalog.BackupsOf("plain-1mb").Single();

    [Fact]
    public async Task A_restore_logs_what_it_does_in_one_category()
    {
        ListLogger logger = new();
        RestoreReport report = await RestoreAsync(Sound, logger);

        Assert.Equal([100, 101, 400, 401, 500, 501, 503], logger.Ids.Where(id => id is not (>= 300 and < 400)));
        Assert.Equal([RestoreTelemetry.Name], logger.Categories);
        Assert.All(logger.Events, one => Assert.False(one.Text.EndsWith('.'), one.Text));
        Assert.Contains(
            logger.Events,
            one =>
                one.Text == $"Restored version 0: {report.FilesRestored} files, {report.BytesRestored} bytes, 0 issues"
        );
    }

    [Fact]
    public async Task Each_issue_is_logged_once_however_late_it_is_known()
    {
        ListLogger logger = new(LogLevel.Warning);
        RestoreReport report = await RestoreAsync(
            FixtureCatalog.BackupsOf("damaged/dblock-flipped-byte-plain").Single(),
            logger
        );

        Assert.NotEmpty(report.Issues);
        Assert.Equal(
            report.Issues.Select(issue => $"{issue.Path}: {issue.Reason}").Order(),
            logger.Events.Where(one => one.Id.Id == 600).Select(one => one.Text).Order()
        );
    }

    [Fact]
    public async Task A_backup_without_indexes_logs_the_survey_and_the_blocks_that_nothing_has()
    {
        ListLogger logger = new();
        await RestoreAsync(FixtureCatalog.BackupsOf("damaged/all-dindex-missing-plain").Single(), logger);
        Assert.Contains(302, logger.Ids);
    }

    [Fact]
    public async Task A_retry_is_logged_and_counted()
    {
        ListLogger logger = new();
        using Counted counted = new("restore.retries");
        ScriptedStore inner = new("0123456789"u8.ToArray(), new TransientStoreException("The line is noisy"), null);
        RetryingStore store = new(
            inner,
            new TransferSettings { Retries = 2, RetryDelay = TimeSpan.Zero },
            TimeProvider.System,
            logger
        );

        await store.ReadAsync("a", 0, new byte[10], TestContext.Current.CancellationToken);

        (EventId id, LogLevel level, string text) = Assert.Single(logger.Events);
        Assert.Equal((200, LogLevel.Warning), (id.Id, level));
        Assert.StartsWith("Waiting for scripted://store, attempt 2 of 3 in 0 ", text, StringComparison.Ordinal);
        Assert.EndsWith("The line is noisy", text, StringComparison.Ordinal);
        Assert.True(counted.Sum >= 1);
    }

    [Fact]
    public async Task Open_plan_execute_and_each_pass_are_activities()
    {
        List<Activity> ended = [];
        using ActivityListener listener = new()
        {
            ShouldListenTo = source => source.Name == RestoreTelemetry.Name,
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = activity =>
            {
                lock (ended)
                {
                    ended.Add(activity);
                }
            },
        };
        ActivitySource.AddActivityListener(listener);
        using Activity parent = new Activity("the caller").Start();
        await RestoreAsync(Sound, new ListLogger());
        await Assert.ThrowsAsync<RestoreException>(() => Backup.OpenAsync("/not/there/at/all"));

        Activity[] own;
        lock (ended)
        {
            own = [.. ended.Where(activity => activity.TraceId == parent.TraceId)];
        }

        Assert.Equal(
            ["Restore.Open", "Restore.Plan", "Restore.Pass", "Restore.Execute", "Restore.Open"],
            own.Select(activity => activity.OperationName)
        );
        Assert.Equal(own[3].SpanId, own[2].ParentSpanId);
        Assert.Equal((ActivityStatusCode.Unset, ActivityStatusCode.Error), (own[3].Status, own[4].Status));
        Assert.Equal("There is no such folder (/not/there/at/all)", own[4].StatusDescription);
    }

    [Fact]
    public async Task Bytes_and_volumes_are_counted()
    {
        using Counted fetched = new("restore.bytes.fetched");
        using Counted written = new("restore.bytes.written");
        using Counted volumes = new("restore.volumes.fetched");
        RestoreReport report = await RestoreAsync(Sound, new ListLogger());

        // Other tests restore at the same time, and are counted too.
        Assert.True(fetched.Sum >= report.BytesFetched && report.BytesFetched > 0);
        Assert.True(written.Sum >= report.BytesWritten && report.BytesWritten > 0);
        Assert.True(volumes.Sum >= report.VolumesFetched && report.VolumesFetched > 0);
    }

    [Fact]
    public void Every_event_has_an_id_of_its_own_and_a_row_in_the_docs()
    {
        string page = File.ReadAllText(Path.Combine(Fixtures.RepositoryRoot(), "docs", "telemetry.md"));
        string[] documented =
        [
            .. Row().Matches(page).Select(row => $"{row.Groups[1].Value} {row.Groups[2].Value} {row.Groups[3].Value}"),
        ];
        string[] declared =
        [
            .. from method in typeof(Log).GetMethods()
            let message = method.GetCustomAttribute<LoggerMessageAttribute>()
            where message is not null
            orderby message.EventId
            select $"{message.EventId} {method.Name} {message.Level}",
        ];

        Assert.Equal(declared.Length, declared.Select(row => row.Split(' ')[0]).Distinct().Count());
        Assert.Equal(declared, documented);
    }

    private static async Task<RestoreReport> RestoreAsync(FixtureBackup fixture, ListLogger logger)
    {
        using TempFolder folder = new();
        return await FixtureRestore.RunAsync(
            fixture,
            0,
            FixtureRestore.Whole(folder.Root),
            fixture.Location,
            fixture.Options() with
            {
                LoggerFactory = logger,
            },
            TestContext.Current.CancellationToken
        );
    }

    [GeneratedRegex(@"^\| (\d+) \| (\w+) \| (\w+) \|", RegexOptions.Multiline)]
    private static partial Regex Row();

    /// <summary>Adds up what one counter of the library counts, in the whole process.</summary>
    private sealed class Counted : IDisposable
    {
        private readonly MeterListener listener = new();
        private long sum;

        public Counted(string name)
        {
            listener.InstrumentPublished = (instrument, own) =>
            {
                if (instrument.Meter.Name == RestoreTelemetry.Name && instrument.Name == name)
                {
                    own.EnableMeasurementEvents(instrument);
                }
            };
            listener.SetMeasurementEventCallback<long>((_, value, _, _) => Interlocked.Add(ref sum, value));
            listener.Start();
        }

        public long Sum => Interlocked.Read(ref sum);

        public void Dispose() => listener.Dispose();
    }
}
