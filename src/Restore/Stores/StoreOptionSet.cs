using System.Collections;
using System.Diagnostics.CodeAnalysis;

namespace Restore.Stores;

/// <summary>
/// Options of a store as properties, for <see cref="BackupOptions.StoreOptions"/>, in place of a
/// dictionary with Duplicati's names. A property that is not set has the default of its option.
/// Each kind of store has a class with its own options; the properties here are those that every
/// remote store has.
/// </summary>
/// <remarks>
/// The set is the dictionary with the names and values of the properties, so everything that takes
/// Duplicati's options takes it too. Compare <c>DbConnectionStringBuilder</c> of ADO.NET.
/// </remarks>
public abstract class StoreOptionSet : IReadOnlyDictionary<string, string>
{
    private readonly Dictionary<string, string> values = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>The user. A user in the location takes precedence.</summary>
    public string? Username
    {
        get;
        init => Set(CommonOptions.Username, field = value);
    }

    /// <summary>
    /// The password of the user, or the passphrase of an SSH key. A password in the location takes
    /// precedence.
    /// </summary>
    public string? Password
    {
        get;
        init => Set(CommonOptions.Password, field = value);
    }

    /// <summary>How often a request that failed for a passing reason is repeated; 5 by default.</summary>
    public int? Retries
    {
        get;
        init => Set(CommonOptions.Retries, field = value);
    }

    /// <summary>
    /// The pause before a request is repeated, give or take a quarter; 10 seconds by default.
    /// </summary>
    public TimeSpan? RetryDelay
    {
        get;
        init => Set(CommonOptions.RetryDelay, field = value);
    }

    /// <summary>Whether the pause doubles with each try, up to five minutes.</summary>
    public bool? ExponentialBackoff
    {
        get;
        init => Set(CommonOptions.ExponentialBackoff, field = value);
    }

    /// <summary>
    /// How long a transfer may make no progress; 30 seconds by default, zero for no limit.
    /// </summary>
    public TimeSpan? ProgressTimeout
    {
        get;
        init => Set(CommonOptions.ProgressTimeout, field = value);
    }

    /// <summary>Limit of the bytes per second of all downloads together.</summary>
    public long? DownloadBytesPerSecond
    {
        get;
        init => Set(CommonOptions.Throttle, field = value);
    }

    /// <summary>Limit of the bytes per second of all uploads together.</summary>
    public long? UploadBytesPerSecond
    {
        get;
        init => Set(CommonOptions.ThrottleUpload, field = value);
    }

    /// <summary>
    /// Both limits by the time of day, in place of the two others, as in
    /// <c>08:00,512k 19:00,10M 23:00,off</c>.
    /// </summary>
    public string? RateSchedule
    {
        get;
        init => Set(CommonOptions.Limits, field = value);
    }

    /// <summary>
    /// Whether the store keeps what it has (object lock, append-only): nothing is deleted, and
    /// writers make no lock.
    /// </summary>
    public bool? Immutable
    {
        get;
        init => Set(CommonOptions.Immutable, field = value);
    }

    /// <summary>The number of options that are set.</summary>
    public int Count => values.Count;

    /// <summary>The names of the options that are set.</summary>
    public IEnumerable<string> Keys => values.Keys;

    /// <summary>Their values, credentials among them.</summary>
    public IEnumerable<string> Values => values.Values;

    /// <summary>The value of an option.</summary>
    /// <exception cref="KeyNotFoundException">The option is not set.</exception>
    public string this[string key] => values[key];

    /// <summary>Whether an option is set.</summary>
    public bool ContainsKey(string key) => values.ContainsKey(key);

    /// <summary>Finds the value of an option.</summary>
    public bool TryGetValue(string key, [MaybeNullWhen(false)] out string value) => values.TryGetValue(key, out value);

    /// <summary>The names and values of the options that are set.</summary>
    public IEnumerator<KeyValuePair<string, string>> GetEnumerator() => values.GetEnumerator();

    /// <summary>Only the type: the values may be credentials.</summary>
    public sealed override string ToString() => GetType().Name;

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Sets an option; null leaves it unset.</summary>
    /// <param name="option">The declaration of the option.</param>
    /// <param name="value">The value as Duplicati writes it.</param>
    protected void Set(StoreOption option, string? value)
    {
        ArgumentNullException.ThrowIfNull(option);
        if (value is null)
        {
            values.Remove(option.Name);
        }
        else
        {
            values[option.Name] = value;
        }
    }

    /// <summary>Sets a switch; null leaves it unset.</summary>
    protected void Set(StoreOption option, bool? value) =>
        Set(
            option,
            value switch
            {
                true => "true",
                false => "false",
                null => null,
            }
        );

    /// <summary>
    /// Sets a number, or a size in bytes if the option is one; null leaves it unset.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The number is negative.</exception>
    protected void Set(StoreOption option, long? value)
    {
        ArgumentNullException.ThrowIfNull(option);
        ArgumentOutOfRangeException.ThrowIfNegative(value ?? 0, nameof(value));
        string unit = option.Kind == StoreOptionKind.Number ? "" : "b";
        Set(option, value is long number ? string.Create(CultureInfo.InvariantCulture, $"{number}{unit}") : null);
    }

    /// <summary>Sets a time span; null leaves it unset.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is negative, or longer than a
    /// week.</exception>
    protected void Set(StoreOption option, TimeSpan? value)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(value ?? TimeSpan.Zero, TimeSpan.Zero, nameof(value));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(value ?? TimeSpan.Zero, TimeSpan.FromDays(7), nameof(value));
        Set(option, value?.ToString("c", CultureInfo.InvariantCulture));
    }
}
