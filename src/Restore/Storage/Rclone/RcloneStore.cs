using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.Json;
using Restore.Storage.Http;

namespace Restore.Storage.Rclone;

/// <summary>
/// A store that rclone reaches: <c>rclone://</c>, <c>ssh://</c>, <c>ftp://</c>, <c>aftp://</c>. Lists by <c>rclone lsjson</c>; all reads go through one
/// <see cref="RcloneServer"/>.
/// </summary>
internal sealed class RcloneStore : IVolumeStore
{
    // rclone says nothing until it has the whole folder, which from a slow server takes minutes; the same default and option as Duplicati's.
    private static readonly TimeSpan DefaultListTimeout = TimeSpan.FromMinutes(10);

    private readonly StoreUrl url;
    private readonly TransferSettings settings;
    private readonly TimeProvider timeProvider;
    private readonly TransferReader reader;
    private readonly TransferReader listReader;
    private readonly RcloneRemote remote;
    private readonly SecretScrubber scrubber;
    private readonly SemaphoreSlim gate = new(1, 1);
    private RcloneAccess? access;
    private RcloneServer? server;

    public RcloneStore(StoreUrl url, TransferSettings settings, TimeProvider timeProvider)
    {
        (this.url, this.settings, this.timeProvider) = (url, settings, timeProvider);
        reader = new TransferReader(settings, timeProvider);
        listReader = new TransferReader(settings with { ProgressTimeout = url.Options.Duration("list-operation-timeout", DefaultListTimeout) }, timeProvider);
        remote = RcloneRemote.Of(url);
        scrubber = new SecretScrubber(remote.Secrets.Values.Append(url.Options.Text("ssh-key")));
    }

    public string DisplayName => url.DisplayName;

    public bool HasRanges => server?.Files.HasRanges ?? true;

    public bool IsLocal => false;

    public async IAsyncEnumerable<StoredFile> ListAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        RcloneAccess open = await AccessAsync(cancellationToken).ConfigureAwait(false);
        ChildProcess child = open.Program.Start(
            ["lsjson", "--files-only", "--no-modtime", "--no-mimetype", "--low-level-retries", "1", "--retries", "1",
             "--timeout", Seconds(settings.ProgressTimeout), "--contimeout", Seconds(settings.ProgressTimeout), "--ask-password=false", "--", open.Target],
            open.Environment, endsWithUs: true);
        await using (child.ConfigureAwait(false))
        {
            using CancellationTokenRegistration killing = cancellationToken.UnsafeRegister(static child => ((ChildProcess)child!).Kill(), child);
            var body = new ListingBody(child.Output.BaseStream, listReader, cancellationToken);
            IAsyncEnumerator<JsonElement> entries = JsonSerializer.DeserializeAsyncEnumerable<JsonElement>(body, cancellationToken: cancellationToken)
                .GetAsyncEnumerator(cancellationToken);
            await using (entries.ConfigureAwait(false))
            {
                while (await NextAsync(entries, child, cancellationToken).ConfigureAwait(false) is { } file)
                {
                    body.EntryDone();
                    if (RemoteNames.IsPlain(file.Name))
                    {
                        yield return file;
                    }
                }
            }
        }
    }

    public async ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default)
    {
        RcloneServer running = await ServerAsync(cancellationToken).ConfigureAwait(false);
        return await running.ReadAsync(name, offset, destination, cancellationToken).ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        if (server is not null)
        {
            await server.DisposeAsync().ConfigureAwait(false);
        }

        access?.Dispose();
        gate.Dispose();
    }

    /// <summary>A time as rclone's options take it; none is 0.</summary>
    public static string Seconds(TimeSpan time) =>
        time > TimeSpan.Zero ? string.Create(CultureInfo.InvariantCulture, $"{time.TotalMilliseconds:0}ms") : "0";

    /// <summary>The next file; null after the last, once rclone has said that it was the last.</summary>
    private async ValueTask<StoredFile?> NextAsync(IAsyncEnumerator<JsonElement> entries, ChildProcess child, CancellationToken cancellationToken)
    {
        Exception? brokenOff = null;
        try
        {
            if (await entries.MoveNextAsync().ConfigureAwait(false))
            {
                return new StoredFile(entries.Current.GetProperty("Name").GetString() ?? "", entries.Current.GetProperty("Size").GetInt64());
            }
        }
        catch (Exception failure) when (failure is JsonException or KeyNotFoundException or InvalidOperationException or FormatException)
        {
            brokenOff = failure;
        }

        cancellationToken.ThrowIfCancellationRequested();
        int exitCode = await child.ExitCodeAsync(cancellationToken).ConfigureAwait(false);
        return exitCode == 0 && brokenOff is null ? null : throw RcloneFailures.Of(child.LastError(), exitCode, DisplayName, brokenOff);
    }

    private async ValueTask<RcloneAccess> AccessAsync(CancellationToken cancellationToken)
    {
        await gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return access ??= await RcloneAccess.OpenAsync(url, remote, scrubber, settings, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            gate.Release();
        }
    }

    /// <summary>The running server; a new one when it has not been started yet, or has ended.</summary>
    private async ValueTask<RcloneServer> ServerAsync(CancellationToken cancellationToken)
    {
        if (Volatile.Read(ref server) is { HasExited: false } running)
        {
            return running;
        }

        RcloneAccess open = await AccessAsync(cancellationToken).ConfigureAwait(false);
        await gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (server is { HasExited: true } ended)
            {
                server = null;
                await ended.DisposeAsync().ConfigureAwait(false);
            }

            return server ??= await RcloneServer.StartAsync(
                open.Program, open.Target, open.Environment, reader, settings, timeProvider, DisplayName, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            gate.Release();
        }
    }
}
