namespace Restore.Storage;

/// <summary>The options of every remote store, with Duplicati's names.</summary>
internal static class CommonOptions
{
    public static readonly StoreOption Username = new("auth-username", "user; `ssh://user@host/folder` says the same");

    public static readonly StoreOption Password = new("auth-password", "password; of an SSH key its passphrase")
    {
        IsSecret = true,
    };

    public static readonly StoreOption Retries = new(
        "number-of-retries",
        "further tries of a request that failed for a passing reason"
    )
    {
        Kind = StoreOptionKind.Number,
        Default = "5",
    };

    public static readonly StoreOption RetryDelay = new(
        "retry-delay",
        "pause before the next try, give or take a quarter, so that parallel downloads do not come back together"
    )
    {
        Kind = StoreOptionKind.Duration,
        Default = "10s",
    };

    public static readonly StoreOption ExponentialBackoff = new(
        "retry-with-exponential-backoff",
        "doubles the pause with each try, up to five minutes"
    )
    {
        Kind = StoreOptionKind.Switch,
        Default = "off",
    };

    public static readonly StoreOption ProgressTimeout = new(
        "read-write-timeout",
        "how long a transfer, or a call to a disk, may stand still; a slow one that continues is left alone; 0 is forever"
    )
    {
        Kind = StoreOptionKind.Duration,
        Default = "30s",
    };

    public static readonly StoreOption Throttle = new(
        "throttle-download",
        "most bytes in a second for all transfers together, such as `2mb`, or by the time of day as in `bwlimit`"
    );

    public static readonly StoreOption ThrottleUpload = new("throttle-upload", "the same for what is sent");

    public static readonly StoreOption Limits = new(
        "bwlimit",
        "both by the time of day, instead: `08:00,512k 19:00,10M 23:00,off`, or one rate; as in rclone, a bare number counts in kb"
    );

    public static readonly StoreOption Immutable = new(
        "immutable",
        "for stores that keep what they have (object lock, append-only): nothing is deleted, and writers make no lock"
    )
    {
        Kind = StoreOptionKind.Switch,
        Default = "off",
    };

    public static readonly IReadOnlyList<StoreOption> All =
    [
        Username,
        Password,
        Retries,
        RetryDelay,
        ExponentialBackoff,
        ProgressTimeout,
        Throttle,
        ThrottleUpload,
        Limits,
        Immutable,
    ];
}
