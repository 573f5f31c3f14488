using System.Diagnostics;
using System.Diagnostics.Metrics;
using Meter = System.Diagnostics.Metrics.Meter;

namespace Restore;

/// <summary>
/// Lets a host observe a restore: an <see cref="ActivitySource"/> and a
/// <see cref="System.Diagnostics.Metrics.Meter"/>, both with the name <see cref="Name"/>. They cost
/// nothing without a listener. <c>docs/telemetry.md</c> lists activities, counters and log events.
/// </summary>
public static class RestoreTelemetry
{
    /// <summary>Name of the activity source, of the meter and of the log category.</summary>
    public const string Name = "Restore";

    private static readonly ActivitySource Activities = new(Name);
    private static readonly Meter Meter = new(Name);

    /// <summary>Bytes that arrived from a store, including broken transfers.</summary>
    internal static readonly Counter<long> BytesFetched = Meter.CreateCounter<long>(
        "restore.bytes.fetched",
        "By",
        "Bytes that arrived from a store"
    );

    internal static readonly Counter<long> BytesWritten = Meter.CreateCounter<long>(
        "restore.bytes.written",
        "By",
        "Bytes written to files at the target"
    );

    /// <summary>Block volumes that were fetched, whole or in part.</summary>
    internal static readonly Counter<long> VolumesFetched = Meter.CreateCounter<long>(
        "restore.volumes.fetched",
        "{volume}",
        "Block volumes fetched"
    );

    internal static readonly Counter<long> Retries = Meter.CreateCounter<long>(
        "restore.retries",
        "{request}",
        "Requests to a store that were repeated"
    );

    /// <summary>
    /// Runs an operation as an activity, which gets the error if the operation fails.
    /// </summary>
    internal static async Task<T> WatchAsync<T>(string operation, Func<Activity?, Task<T>> work)
    {
        using Activity? activity = Activities.StartActivity($"{Name}.{operation}");
        try
        {
            return await work(activity).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            activity?.SetStatus(ActivityStatusCode.Error, failure.Message);
            throw;
        }
    }
}
