namespace Restore.Storage;

/// <summary>How to talk to a remote store, from Duplicati's options of the same names.</summary>
internal sealed record TransferSettings
{
    /// <summary>Further tries after the first (<c>number-of-retries</c>).</summary>
    public int Retries { get; init; } = 5;

    /// <summary>
    /// Pause before the next try (<c>retry-delay</c>), with jitter of a quarter, so that parallel
    /// downloads do not retry together.
    /// </summary>
    public TimeSpan RetryDelay { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Doubles the pause with each try (<c>retry-with-exponential-backoff</c>).</summary>
    public bool ExponentialBackoff { get; init; }

    /// <summary>How long a transfer may make no progress (<c>read-write-timeout</c>).</summary>
    public TimeSpan ProgressTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Limits of the bytes per second of all transfers together (<c>bwlimit</c>, else
    /// <c>throttle-download</c>); null for none.
    /// </summary>
    public RateSchedule? Rates { get; init; }

    /// <summary>
    /// The same for what is sent (<c>bwlimit</c>, else <c>throttle-upload</c>); null for none.
    /// </summary>
    public RateSchedule? UploadRates { get; init; }

    /// <summary>Nothing is deleted from the store (<c>immutable</c>).</summary>
    public bool IsImmutable { get; init; }

    public static TransferSettings From(StoreOptionValues options)
    {
        TimeSpan timeout = options.Duration(CommonOptions.ProgressTimeout);
        return new TransferSettings
        {
            Retries = options.Count(CommonOptions.Retries, maximum: 1000),
            RetryDelay = options.Duration(CommonOptions.RetryDelay),
            ExponentialBackoff = options.Flag(CommonOptions.ExponentialBackoff),
            ProgressTimeout = timeout > TimeSpan.Zero ? timeout : Timeout.InfiniteTimeSpan,
            Rates = RatesOf(options, CommonOptions.Throttle),
            UploadRates = RatesOf(options, CommonOptions.ThrottleUpload),
            IsImmutable = options.Flag(CommonOptions.Immutable),
        };
    }

    private static RateSchedule? RatesOf(StoreOptionValues options, StoreOption throttle)
    {
        StoreOption given = options.Text(CommonOptions.Limits) is null ? throttle : CommonOptions.Limits;
        return options.Text(given) is not { } text || text.Trim() == "0"
            ? null
            : RateSchedule.Parse(text)
                ?? throw options.Unusable(
                    given,
                    "a rate such as 2mb, or rates by time such as '08:00,512k 19:00,10M 23:00,off'"
                );
    }
}
