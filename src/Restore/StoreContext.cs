using Restore.Storage;

namespace Restore;

/// <summary>What an <see cref="IStoreProvider"/> opens a store with.</summary>
public sealed class StoreContext
{
    internal StoreContext(StoreUrl url, IEnumerable<StoreOption> declared, TimeProvider timeProvider)
    {
        Url = url;
        TimeProvider = timeProvider;
        Settings = TransferSettings.From(url.Options);
        Transfers = new StoreTransfers(Settings, timeProvider);
        Scrubber = new SecretScrubber(declared.Where(option => option.IsSecret).Select(url.Options.Text).Append(url.Password));
    }

    /// <summary>Which store to open.</summary>
    public StoreUrl Url { get; }

    /// <summary>The options of the URL and those given beside it.</summary>
    public StoreOptionValues Options => Url.Options;

    /// <summary>Transfers with the timeout and the rate that the options ask for.</summary>
    public StoreTransfers Transfers { get; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; }

    internal TransferSettings Settings { get; }

    internal SecretScrubber Scrubber { get; }

    /// <summary>
    /// Makes text that others wrote, such as a server's message, fit for a message: one line, without the password, the values of secret options, and what
    /// stands before an @ in a URL.
    /// </summary>
    public string Scrub(string? text) => Scrubber.Clean(text);
}
