namespace Restore.Stores;

/// <summary>What an <see cref="IStoreProvider"/> needs to open a store.</summary>
public sealed class StoreContext
{
    internal StoreContext(StoreUrl url, IEnumerable<StoreOption> declared, TimeProvider timeProvider)
    {
        Url = url;
        TimeProvider = timeProvider;
        Settings = TransferSettings.From(url.Options);
        Transfers = new StoreTransfers(Settings, timeProvider);
        Scrubber = new SecretScrubber(
            declared.Where(option => option.IsSecret).Select(url.Options.Text).Append(url.Password)
        );
    }

    /// <summary>The location of the store.</summary>
    public StoreUrl Url { get; }

    /// <summary>
    /// The options of the URL and the options that were given in addition to the URL.
    /// </summary>
    public StoreOptionValues Options => Url.Options;

    /// <summary>Transfers with the timeout and the rate limit of the options.</summary>
    public StoreTransfers Transfers { get; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; }

    internal TransferSettings Settings { get; }

    internal SecretScrubber Scrubber { get; }

    /// <summary>
    /// The name that a file has until the store has all of it, for a sink that renames. No volume
    /// can have this name, and the next writer removes what an interrupted upload left.
    /// </summary>
    /// <param name="name">The name that the file gets in the end.</param>
    public static string PartialName(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return Storage.PartialName.Of(name);
    }

    /// <summary>
    /// Makes foreign text, such as a server's message, safe for a message: one line, without the
    /// password, the values of secret options, and user information in URLs, and without a full
    /// stop at the end.
    /// </summary>
    public string Scrub(string? text) => ExceptionReason.WithoutFullStop(Scrubber.Clean(text));
}
