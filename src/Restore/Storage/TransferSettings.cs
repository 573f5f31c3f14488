namespace Restore.Storage;

/// <summary>How to talk to a remote store, from Duplicati's options of the same names.</summary>
internal sealed record TransferSettings
{
    /// <summary>Further tries after the first (<c>number-of-retries</c>).</summary>
    public int Retries { get; init; } = 5;

    /// <summary>Pause before the next try (<c>retry-delay</c>), with jitter of a quarter, so that parallel downloads do not retry together.</summary>
    public TimeSpan RetryDelay { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Doubles the pause with each try (<c>retry-with-exponential-backoff</c>).</summary>
    public bool ExponentialBackoff { get; init; }

    /// <summary>How long a transfer may make no progress (<c>read-write-timeout</c>).</summary>
    public TimeSpan ProgressTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Limit of the bytes per second of all transfers together (<c>throttle-download</c>); null for no limit.</summary>
    public long? BytesPerSecond { get; init; }

    public static TransferSettings From(StoreOptionValues options)
    {
        TimeSpan timeout = options.Duration(CommonOptions.ProgressTimeout);
        return new TransferSettings
        {
            Retries = options.Count(CommonOptions.Retries, maximum: 1000),
            RetryDelay = options.Duration(CommonOptions.RetryDelay),
            ExponentialBackoff = options.Flag(CommonOptions.ExponentialBackoff),
            ProgressTimeout = timeout > TimeSpan.Zero ? timeout : Timeout.InfiniteTimeSpan,
            BytesPerSecond = options.Bytes(CommonOptions.Throttle, bareUnitBytes: 1024) is > 0 and long rate ? rate : null,
        };
    }
}
