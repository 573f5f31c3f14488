using System.Text.Json.Serialization.Metadata;
using Restore.Storage.Http;

namespace Restore.Storage.Rclone;

/// <summary>
/// A store that rclone reaches, whatever the service. Lists by <c>rclone lsjson</c>; all reads go
/// through one <see cref="RcloneServer"/>.
/// </summary>
internal sealed class RcloneStore : IVolumeStore, IFolderListing
{
    // Reading needs no reflection, which a trimmed program does not have.
    private static readonly JsonTypeInfo<JsonElement> EntryType = JsonMetadataServices.CreateValueInfo<JsonElement>(
        new JsonSerializerOptions { TypeInfoResolver = JsonTypeInfoResolver.Combine() },
        JsonMetadataServices.JsonElementConverter
    );

    // rclone logs out of some services at its end.
    private static readonly TimeSpan PatienceAfterList = TimeSpan.FromSeconds(5);

    private readonly StoreContext context;
    private readonly StoreTransfers listTransfers;
    private readonly TimeSpan listPatience;
    private readonly RunningRclone rclone;
    private readonly ListedFolders folders = new();

    public RcloneStore(StoreContext context, RcloneRemote remote)
    {
        this.context = context;
        rclone = new RunningRclone(context, remote, writes: false);

        // If the user gave only the limit of transfers, it also holds for rclone's silence during a
        // listing.
        bool asksForLess =
            context.Options.Text(RcloneOptions.ListTimeout) is null
            && context.Options.Text(CommonOptions.ProgressTimeout) is not null;
        listPatience = asksForLess
            ? context.Transfers.ProgressTimeout
            : context.Options.Duration(RcloneOptions.ListTimeout);
        listTransfers = new StoreTransfers(
            context.Settings with
            {
                ProgressTimeout = listPatience,
            },
            context.TimeProvider
        );
    }

    public string DisplayName => context.Url.DisplayName;

    public bool HasRanges => rclone.Current?.Files.HasRanges ?? true;

    public bool IsLocal => false;

    public IReadOnlyCollection<string> ListedFolders => folders.Names;

    public async IAsyncEnumerable<StoredFile> ListAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        RcloneConnection open = await rclone.ConnectionAsync(cancellationToken).ConfigureAwait(false);
        string timeout = Seconds(context.Transfers.ProgressTimeout);
        ChildProcess child = open.Program.Start(
            [
                "lsjson",
                "--no-modtime",
                "--no-mimetype",
                "--low-level-retries",
                "1",
                "--retries",
                "1",
                "--timeout",
                timeout,
                "--contimeout",
                timeout,
                "--ask-password=false",
                "--",
                open.Target,
            ],
            open.Environment,
            endsWithUs: true
        );
        await using (child.ConfigureAwait(false))
        {
            using CancellationTokenRegistration killing = cancellationToken.UnsafeRegister(
                static child => ((ChildProcess)child!).Kill(),
                child
            );
            var body = new ListingBody(child.Output.BaseStream, listTransfers, cancellationToken);
            IAsyncEnumerator<JsonElement> entries = JsonSerializer
                .DeserializeAsyncEnumerable(body, EntryType, cancellationToken)
                .GetAsyncEnumerator(cancellationToken);
            await using (entries.ConfigureAwait(false))
            {
                while (await NextAsync(entries, body, child, cancellationToken).ConfigureAwait(false) is { } file)
                {
                    body.EntryDone();
                    yield return file;
                }
            }
        }
    }

    public async ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    )
    {
        RcloneServer running = await rclone.ServerAsync(cancellationToken).ConfigureAwait(false);
        return await running.ReadAsync(name, offset, destination, cancellationToken).ConfigureAwait(false);
    }

    public ValueTask DisposeAsync() => rclone.DisposeAsync();

    /// <summary>A time as rclone's options take it; "none" is 0.</summary>
    public static string Seconds(TimeSpan time) =>
        time > TimeSpan.Zero ? string.Create(CultureInfo.InvariantCulture, $"{time.TotalMilliseconds:0}ms") : "0";

    /// <summary>The next file; null after the last, once rclone has reported success.</summary>
    private async ValueTask<StoredFile?> NextAsync(
        IAsyncEnumerator<JsonElement> entries,
        ListingBody body,
        ChildProcess child,
        CancellationToken cancellationToken
    )
    {
        Exception? brokenOff = null;
        try
        {
            while (await entries.MoveNextAsync().ConfigureAwait(false))
            {
                if (entries.Current.TryGetProperty("IsDir", out JsonElement isFolder) && isFolder.GetBoolean())
                {
                    folders.Add(entries.Current.GetProperty("Name").GetString() ?? "");
                    body.EntryDone();
                    continue;
                }

                return new StoredFile(
                    entries.Current.GetProperty("Name").GetString() ?? "",
                    entries.Current.GetProperty("Size").GetInt64()
                );
            }
        }
        catch (Exception failure)
            when (failure is JsonException or KeyNotFoundException or InvalidOperationException or FormatException)
        {
            brokenOff = failure;
        }
        catch (TransientStoreException failure) when (failure.StoreUnreachable)
        {
            child.Kill();
            string limit = string.Create(
                CultureInfo.InvariantCulture,
                $"rclone printed nothing for {listPatience.TotalSeconds:0.###} s, and was ended"
            );
            throw new TransientStoreException(limit, failure) { StoreUnreachable = true };
        }

        cancellationToken.ThrowIfCancellationRequested();

        // A list that ends well counts only if rclone reports success too.
        if (await ExitCodeAsync(child, cancellationToken).ConfigureAwait(false) is not { } exitCode)
        {
            throw new TransientStoreException(
                $"What rclone printed is no list of files, and it did not end ({child.LastError()})",
                brokenOff
            );
        }

        return exitCode == 0 && brokenOff is null
            ? null
            : throw RcloneFailures.Of(child.LastError(), exitCode, DisplayName, brokenOff);
    }

    /// <summary>
    /// Null if the program does not end after its list, or after something else that is read no
    /// further.
    /// </summary>
    private static async Task<int?> ExitCodeAsync(ChildProcess child, CancellationToken cancellationToken)
    {
        using var limited = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limited.CancelAfter(PatienceAfterList);
        try
        {
            return await child.ExitCodeAsync(limited.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            child.Kill();
            return null;
        }
    }
}
