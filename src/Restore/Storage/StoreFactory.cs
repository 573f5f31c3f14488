using Restore.Storage.Rclone;

namespace Restore.Storage;

/// <summary>Opens the store that a location names. Sends no request yet.</summary>
internal static class StoreFactory
{
    /// <summary>Options in the URL's query take precedence. Retries are logged.</summary>
    public static MeteredStore Open(
        string location, StoreRegistry registry, IReadOnlyDictionary<string, string> storeOptions, TimeProvider timeProvider, ILogger? logger = null)
    {
        (IStoreProvider provider, StoreContext context) = Find(location, registry, storeOptions, timeProvider);
        return Wrap(provider.Open(context), context.Settings, timeProvider, logger, context.Transfers);
    }

    /// <summary>Opens a store for writing, as <see cref="Open"/> does for reading.</summary>
    public static RetryingSink OpenSink(
        string location, StoreRegistry registry, IReadOnlyDictionary<string, string> storeOptions, TimeProvider timeProvider, ILogger logger)
    {
        (IStoreProvider provider, StoreContext context) = Find(location, registry, storeOptions, timeProvider);
        return new RetryingSink(provider.OpenSink(context), context.Settings, timeProvider, logger);
    }

    public static MeteredStore Wrap(
        IVolumeStore store, StoreRegistry registry, IReadOnlyDictionary<string, string> storeOptions, TimeProvider timeProvider, ILogger logger)
    {
        var options = new StoreOptionValues(storeOptions);
        RequireKnown(options, registry, null);

        // The store limits its rate itself.
        return Wrap(store, TransferSettings.From(options) with { Rates = null }, timeProvider, logger);
    }

    public static RetryingSink Wrap(
        IVolumeSink sink, StoreRegistry registry, IReadOnlyDictionary<string, string> storeOptions, TimeProvider timeProvider, ILogger logger)
    {
        var options = new StoreOptionValues(storeOptions);
        RequireKnown(options, registry, null);
        return new RetryingSink(sink, TransferSettings.From(options), timeProvider, logger);
    }

    /// <summary>How long what is called for a store may stand still; <see cref="Timeout.InfiniteTimeSpan"/> for no limit.</summary>
    public static TimeSpan PatienceOf(IReadOnlyDictionary<string, string> storeOptions) =>
        TransferSettings.From(new StoreOptionValues(storeOptions)).ProgressTimeout;

    private static (IStoreProvider Provider, StoreContext Context) Find(
        string location, StoreRegistry kinds, IReadOnlyDictionary<string, string> storeOptions, TimeProvider timeProvider)
    {
        StoreUrl url = StoreUrlParser.Parse(location, storeOptions);
        IStoreProvider provider = kinds.FindProvider(url.Scheme) ?? throw NoStore(url.Scheme, kinds);
        RequireKnown(url.Options, kinds, provider);
        return (provider, new StoreContext(url, kinds.CommonOptions.Concat(provider.Options), timeProvider));
    }

    private static MeteredStore Wrap(
        IVolumeStore store, TransferSettings settings, TimeProvider timeProvider, ILogger? logger, StoreTransfers? transfers = null)
    {
        long? bytesPerSecond = settings.Rates?.RateAt(timeProvider.GetLocalNow());
        if (store.IsLocal)
        {
            IVolumeStore limited = settings.Rates is { } rates ? new ThrottledStore(store, new TransferThrottle(rates, timeProvider)) : store;
            return Watched(new MeteredStore(limited) { BytesPerSecond = bytesPerSecond }, transfers);
        }

        MeteredStore wire = Watched(new MeteredStore(store), transfers);
        return new MeteredStore(new RetryingStore(wire, settings, timeProvider, logger, wire.Repeat), wire) { BytesPerSecond = bytesPerSecond };
    }

    /// <summary>The bytes of a store that says when they come are counted then.</summary>
    private static MeteredStore Watched(MeteredStore store, StoreTransfers? transfers)
    {
        if (transfers is not null)
        {
            transfers.Arriving = store.Arriving;
        }

        return store;
    }

    /// <summary>A misspelled option would silently have no effect. Options of other stores are accepted: one command line serves several stores.</summary>
    private static void RequireKnown(StoreOptionValues given, StoreRegistry registry, IStoreProvider? provider)
    {
        string? unknown = given.Names.FirstOrDefault(name => registry.FindOption(name) is null && !registry.IsIgnored(name));
        if (unknown is not null)
        {
            IEnumerable<string> known = (provider?.Options ?? []).Concat(registry.CommonOptions).Select(option => option.Name);
            string stores = provider is null ? "of stores" : $"of {provider.Schemes[0]}:// locations";
            throw new RestoreException(
                RestoreErrorCode.StoreOptionUnknown, $"No store has an option {unknown}; the options {stores} are {string.Join(", ", known)}");
        }
    }

    private static string? PackageOf(string scheme) => scheme switch
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

/// <summary>Counts the requests to a store and the bytes from it. With retries between, <paramref name="wire"/> counts: every try is a request.</summary>
internal sealed class MeteredStore(IVolumeStore inner, MeteredStore? wire = null) : ForwardingStore(inner), IResumableListing
{
    // Bytes count for the operation in whose flow of control they are requested: two concurrent restores do not count each other's bytes.
    private readonly AsyncLocal<FetchCount?> current = new();
    private readonly AsyncLocal<ArrivingRead?> reading = new();
    private long bytesFetched;
    private long requests;

    /// <summary>Bytes of files that arrived, including broken transfers.</summary>
    public long BytesFetched => wire?.BytesFetched ?? Interlocked.Read(ref bytesFetched);

    /// <summary>Reads and listings, including failed ones.</summary>
    public long Requests => wire?.Requests ?? Interlocked.Read(ref requests);

    /// <summary>The rate limit of all transfers together (<c>throttle-download</c>); null for none.</summary>
    public long? BytesPerSecond { get; init; }

    public override IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) => ListAfterAsync(null, cancellationToken);

    public IAsyncEnumerable<StoredFile> ListAfterAsync(string? lastName, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref requests);
        return Inner is IResumableListing resumable ? resumable.ListAfterAsync(lastName, cancellationToken) : Inner.ListAsync(cancellationToken);
    }

    /// <summary>Counts what the calling operation fetches from now on, with everything that it starts.</summary>
    public FetchCount StartCount()
    {
        if (wire is not null)
        {
            return wire.StartCount();
        }

        FetchCount count = new();
        current.Value = count;
        return count;
    }

    public override async ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default)
    {
        if (wire is not null)
        {
            return await Inner.ReadAsync(name, offset, destination, cancellationToken).ConfigureAwait(false);
        }

        Interlocked.Increment(ref requests);
        ArrivingRead read = new(this, current.Value);
        reading.Value = read;
        current.Value?.Begin();
        try
        {
            int count = await Inner.ReadAsync(name, offset, destination, cancellationToken).ConfigureAwait(false);
            read.AddRest(count);
            return count;
        }
        catch (TransientStoreException failure)
        {
            read.AddRest(failure.BytesRead);
            throw;
        }
        finally
        {
            current.Value?.End();
        }
    }

    /// <summary>What the store calls with the bytes of the present read as they come; null outside of a read.</summary>
    public Action<int>? Arriving() => reading.Value is { } read ? read.Add : null;

    /// <summary>A request of the present operation failed and is repeated.</summary>
    public void Repeat(StoreRetry next) => current.Value?.Repeat(next);

    /// <summary>The bytes of one read. A store that does not say what comes is counted at the end of the read.</summary>
    private sealed class ArrivingRead(MeteredStore store, FetchCount? operation)
    {
        private long arrived;

        public void Add(int bytes)
        {
            Interlocked.Add(ref arrived, bytes);
            Interlocked.Add(ref store.bytesFetched, bytes);
            RestoreTelemetry.BytesFetched.Add(bytes);
            operation?.Add(bytes);
        }

        public void AddRest(int bytes) => Add((int)Math.Max(0, bytes - Interlocked.Read(ref arrived)));
    }
}
