namespace Restore.Storage;

/// <summary>Opens the store that a location names. Sends no request yet.</summary>
internal static class StoreFactory
{
    /// <summary>Options in the URL's query take precedence. Retries are logged.</summary>
    public static MeteredStore Open(
        string location,
        StoreRegistry registry,
        IReadOnlyDictionary<string, string> storeOptions,
        TimeProvider timeProvider,
        ILogger? logger = null
    )
    {
        (IStoreProvider provider, StoreContext context) = Find(location, registry, storeOptions, timeProvider);
        return Wrap(provider.Open(context), context.Settings, timeProvider, logger, context.Transfers);
    }

    /// <summary>Opens a store for writing, as <see cref="Open"/> does for reading.</summary>
    public static RetryingSink OpenSink(
        string location,
        StoreRegistry registry,
        IReadOnlyDictionary<string, string> storeOptions,
        TimeProvider timeProvider,
        ILogger logger
    )
    {
        (IStoreProvider provider, StoreContext context) = Find(location, registry, storeOptions, timeProvider);
        return new RetryingSink(provider.OpenSink(context), context.Settings, timeProvider, logger);
    }

    public static MeteredStore Wrap(
        IVolumeStore store,
        StoreRegistry registry,
        IReadOnlyDictionary<string, string> storeOptions,
        TimeProvider timeProvider,
        ILogger logger
    )
    {
        var options = new StoreOptionValues(storeOptions);
        RequireKnown(options, registry, null);

        // The store limits its rate itself.
        return Wrap(store, TransferSettings.From(options) with { Rates = null }, timeProvider, logger);
    }

    public static RetryingSink Wrap(
        IVolumeSink sink,
        StoreRegistry registry,
        IReadOnlyDictionary<string, string> storeOptions,
        TimeProvider timeProvider,
        ILogger logger
    )
    {
        var options = new StoreOptionValues(storeOptions);
        RequireKnown(options, registry, null);
        return new RetryingSink(sink, TransferSettings.From(options), timeProvider, logger);
    }

    /// <summary>
    /// How long a program that works for a store may make no progress;
    /// <see cref="Timeout.InfiniteTimeSpan"/> for no limit.
    /// </summary>
    public static TimeSpan PatienceOf(IReadOnlyDictionary<string, string> storeOptions) =>
        TransferSettings.From(new StoreOptionValues(storeOptions)).ProgressTimeout;

    private static (IStoreProvider Provider, StoreContext Context) Find(
        string location,
        StoreRegistry kinds,
        IReadOnlyDictionary<string, string> storeOptions,
        TimeProvider timeProvider
    )
    {
        StoreUrl url = StoreUrlParser.Parse(location, storeOptions);
        IStoreProvider provider = kinds.FindProvider(url.Scheme) ?? throw NoStore(url.Scheme, kinds);
        RequireKnown(url.Options, kinds, provider);
        return (provider, new StoreContext(url, kinds.CommonOptions.Concat(provider.Options), timeProvider));
    }

    private static MeteredStore Wrap(
        IVolumeStore store,
        TransferSettings settings,
        TimeProvider timeProvider,
        ILogger? logger,
        StoreTransfers? transfers = null
    )
    {
        long? bytesPerSecond = settings.Rates?.RateAt(timeProvider.GetLocalNow());
        if (store.IsLocal)
        {
            IVolumeStore limited = settings.Rates is { } rates
                ? new ThrottledStore(store, new TransferThrottle(rates, timeProvider))
                : store;
            return Watched(new MeteredStore(limited) { BytesPerSecond = bytesPerSecond }, transfers);
        }

        // From the store outwards: a meter that counts every try, the retries, and a meter that
        // passes on these counts. The retries continue a broken transfer, which the outer meter
        // could not see.
        MeteredStore wire = Watched(new MeteredStore(store), transfers);
        return new MeteredStore(new RetryingStore(wire, settings, timeProvider, logger, wire.Repeat), wire)
        {
            BytesPerSecond = bytesPerSecond,
        };
    }

    /// <summary>
    /// Lets the store report bytes as they arrive, so that they are counted then and not at the end
    /// of a read.
    /// </summary>
    private static MeteredStore Watched(MeteredStore store, StoreTransfers? transfers)
    {
        if (transfers is not null)
        {
            transfers.Arriving = store.Arriving;
        }

        return store;
    }

    /// <summary>
    /// A misspelled option would silently have no effect. Options of other stores are accepted: one
    /// command line serves several stores.
    /// </summary>
    private static void RequireKnown(StoreOptionValues given, StoreRegistry registry, IStoreProvider? provider)
    {
        string? unknown = given.Names.FirstOrDefault(name =>
            registry.FindOption(name) is null && !registry.IsIgnored(name)
        );
        if (unknown is not null)
        {
            IEnumerable<string> known = (provider?.Options ?? [])
                .Concat(registry.CommonOptions)
                .Select(option => option.Name);
            string stores = provider is null ? "of stores" : $"of {provider.Schemes[0]}:// locations";
            throw new RestoreException(
                RestoreErrorCode.StoreOptionUnknown,
                $"No store has an option {unknown}; the options {stores} are {string.Join(", ", known)}"
            );
        }
    }

    private static string? PackageOf(string scheme) =>
        scheme switch
        {
            "ssh" or "sftp" => "Restore.Sftp",
            "s3" or "b2" or "gcs" => "Restore.S3",
            "azure" => "Restore.Azure",
            _ => null,
        };

    private static RestoreException NoStore(string scheme, StoreRegistry registry)
    {
        string schemes = string.Join(", ", registry.Providers.SelectMany(provider => provider.Schemes));
        string known = $"There is no store for {scheme}:// URLs; the schemes are {schemes}";
        string hint = PackageOf(scheme) is { } package ? $"; {scheme} comes with the package {package}" : "";
        return new RestoreException(RestoreErrorCode.SchemeUnknown, known + hint);
    }
}
