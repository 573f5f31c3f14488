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

    /// <summary>Limits of the bytes per second of all transfers together (<c>bwlimit</c>, else <c>throttle-download</c>); null for none.</summary>
    public RateSchedule? Rates { get; init; }

    /// <summary>The same for what is sent (<c>bwlimit</c>, else <c>throttle-upload</c>); null for none.</summary>
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
            : RateSchedule.Parse(text) ?? throw options.Unusable(given, "a rate such as 2mb, or rates by time such as '08:00,512k 19:00,10M 23:00,off'");
    }
}

/// <summary>The options of every remote store, with Duplicati's names.</summary>
internal static class CommonOptions
{
    public static readonly StoreOption Username = new("auth-username", "user; `ssh://user@host/folder` says the same");

    public static readonly StoreOption Password = new("auth-password", "password; of an SSH key its passphrase") { IsSecret = true };

    public static readonly StoreOption Retries =
        new("number-of-retries", "further tries of a request that failed for a passing reason") { Kind = StoreOptionKind.Number, Default = "5" };

    public static readonly StoreOption RetryDelay =
        new("retry-delay", "pause before the next try, give or take a quarter, so that parallel downloads do not come back together")
        {
            Kind = StoreOptionKind.Duration, Default = "10s",
        };

    public static readonly StoreOption ExponentialBackoff =
        new("retry-with-exponential-backoff", "doubles the pause with each try, up to five minutes") { Kind = StoreOptionKind.Switch, Default = "off" };

    public static readonly StoreOption ProgressTimeout =
        new("read-write-timeout", "how long a transfer, or a call to a disk, may stand still; a slow one that continues is left alone; 0 is forever")
        {
            Kind = StoreOptionKind.Duration, Default = "30s",
        };

    public static readonly StoreOption Throttle =
        new("throttle-download", "most bytes in a second for all transfers together, such as `2mb`, or by the time of day as in `bwlimit`");

    public static readonly StoreOption ThrottleUpload = new("throttle-upload", "the same for what is sent");

    public static readonly StoreOption Limits =
        new("bwlimit", "both by the time of day, instead: `08:00,512k 19:00,10M 23:00,off`, or one rate; as in rclone, a bare number counts in kb");

    public static readonly StoreOption Immutable =
        new("immutable", "for stores that keep what they have (object lock, append-only): nothing is deleted, and writers make no lock")
        {
            Kind = StoreOptionKind.Switch, Default = "off",
        };

    public static readonly IReadOnlyList<StoreOption> All =
        [Username, Password, Retries, RetryDelay, ExponentialBackoff, ProgressTimeout, Throttle, ThrottleUpload, Limits, Immutable];
}

/// <summary>Reads times and sizes in Duplicati's notation; null for anything else.</summary>
internal static class StoreOptionText
{
    /// <summary><c>10s</c>, <c>1m30s</c>, <c>2h</c>, <c>0:00:10</c>; also <c>250ms</c>. At most a week.</summary>
    public static TimeSpan? Duration(string text)
    {
        TimeSpan? duration = text.Contains(':')
            ? TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan colons) ? colons : null
            : SumOfUnits(text);
        return duration >= TimeSpan.Zero && duration <= TimeSpan.FromDays(7) ? duration : null;
    }

    /// <summary><c>500kb</c>, <c>10mb</c>; a bare number counts in <paramref name="bareUnitBytes"/>.</summary>
    public static long? Bytes(string text, long bareUnitBytes)
    {
        int digits = text.AsSpan().TrimEnd("kmgtbKMGTB ").Length;
        long? unit = text[digits..].Trim().ToLowerInvariant() switch
        {
            "" => bareUnitBytes,
            "b" => 1,
            "kb" or "k" => 1L << 10,
            "mb" or "m" => 1L << 20,
            "gb" or "g" => 1L << 30,
            _ => null,
        };
        bool usable = decimal.TryParse(text.AsSpan(0, digits), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal number);
        return usable && unit is { } factor && number <= long.MaxValue / factor / 2 ? (long)(number * factor) : null;
    }

    private static TimeSpan? SumOfUnits(string text)
    {
        TimeSpan sum = TimeSpan.Zero;
        ReadOnlySpan<char> rest = text;
        while (rest.Length > 0)
        {
            int digits = rest.IndexOfAnyExceptInRange('0', '9') is >= 0 and int end ? end : rest.Length;
            if (!int.TryParse(rest[..digits], NumberStyles.None, CultureInfo.InvariantCulture, out int number))
            {
                return null;
            }

            rest = rest[digits..];
            int letters = rest.IndexOfAnyInRange('0', '9') is >= 0 and int next ? next : rest.Length;
            if (UnitOf(rest[..letters]) is not { } unit || number > TimeSpan.FromDays(30) / unit)
            {
                return null;
            }

            sum += number * unit;
            rest = rest[letters..];
        }

        return sum;
    }

    private static TimeSpan? UnitOf(ReadOnlySpan<char> letters) => letters switch
    {
        "ms" => TimeSpan.FromMilliseconds(1),
        "" or "s" => TimeSpan.FromSeconds(1),
        "m" => TimeSpan.FromMinutes(1),
        "h" => TimeSpan.FromHours(1),
        "D" => TimeSpan.FromDays(1),
        "W" => TimeSpan.FromDays(7),
        _ => null,
    };
}
