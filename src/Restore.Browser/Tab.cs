using System.Collections.Concurrent;

namespace Restore.Browser;

/// <summary>The backup that the page has opened, and the calls that run.</summary>
internal sealed class Tab : IAsyncDisposable
{
    private readonly ConcurrentDictionary<int, CancellationTokenSource> running = [];
    private BrowseSession? session;
    private Route<BrowseCall>[] routes = [];

    /// <summary>
    /// Opens the backup and reads the list of its newest version, which tells whether the
    /// passphrase is right.
    /// </summary>
    public async Task<string> OpenAsync(string prefix, string passphrase)
    {
        await DisposeAsync().ConfigureAwait(false);
        BackupOptions options = new() { Passphrase = NullIfEmpty(passphrase), Prefix = NullIfEmpty(prefix) };
        Backup backup = await Backup.OpenAsync(new TabStore(), options).ConfigureAwait(false);
        session = new BrowseSession(
            backup,
            new TabTargets(backup),
            new BrowseSettings { ReportPage = TabReport.Write }
        );
        routes = [.. session.Routes()];
        try
        {
            if (backup.Versions.Count > 0)
            {
                await session.Lists.ReadAsync(backup.Versions[0], CancellationToken.None).ConfigureAwait(false);
            }
        }
        catch (RestoreException failure) when (failure.Code == RestoreErrorCode.GpgMissing)
        {
            await DisposeAsync().ConfigureAwait(false);
            throw new CallException(
                CallStatus.Conflict,
                "The backup is encrypted with GnuPG, which a browser cannot open; the program restore can"
            );
        }
        catch (RestoreException failure) when (failure.Kind != RestoreErrorKind.WrongPassphrase)
        {
            // The page shows it at the version; others may be sound.
        }
        catch
        {
            await DisposeAsync().ConfigureAwait(false);
            throw;
        }

        return "{}";
    }

    public Task<string> CallAsync(int number, string method, string path, string[] values, string body) =>
        RunAsync(
            number,
            async aborted =>
            {
                Route<BrowseCall> route =
                    routes.FirstOrDefault(one => one.IsAt(path) && one.Method == method)
                    ?? throw new CallException(CallStatus.NotFound, $"Nothing answers {method} {path}");
                TabCall call = new(values, body, aborted);
                await route.Handle(call).ConfigureAwait(false);
                return call.Answer;
            }
        );

    public Task<string> SendAsync(int number, string path, string[] values, JSObject output) =>
        RunAsync(
            number,
            async aborted =>
            {
                TabCall call = new(values, "", aborted);
                BrowseSession opened = session ?? throw new CallException(CallStatus.NotFound, "No backup is open");
                ServedEntry entry = await ServedEntry.FindAsync(opened, call).ConfigureAwait(false);
                await using TabOutput stream = new(output);
                if (path == "zip")
                {
                    await opened
                        .Backup.ExportArchiveAsync(entry.Version, stream, ArchiveFormat.Zip, entry.ToArchive(), aborted)
                        .ConfigureAwait(false);
                }
                else
                {
                    await CopyAsync(opened, entry, stream, call.Number("most", absent: 0), aborted)
                        .ConfigureAwait(false);
                }

                await stream.FlushAsync(aborted).ConfigureAwait(false);
                return "{}";
            }
        );

    /// <summary>The report of the restore that is done.</summary>
    public Task<string> ReportAsync()
    {
        if (session?.Job?.Reports is not { Count: > 0 } reports || session.Settings.ReportPage is not { } write)
        {
            throw new CallException(CallStatus.Conflict, "There is no report yet");
        }

        using StringWriter text = new();
        write(text, reports);
        return Task.FromResult(text.ToString());
    }

    public void Abort(int number)
    {
        if (running.TryGetValue(number, out CancellationTokenSource? call))
        {
            call.Cancel();
        }
    }

    /// <summary>Closes the backup, if one is open.</summary>
    public async ValueTask DisposeAsync()
    {
        if (session is BrowseSession last)
        {
            (session, routes) = (null, []);
            await last.DisposeAsync().ConfigureAwait(false);
            await last.Backup.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task<string> RunAsync(int number, Func<CancellationToken, Task<string>> work)
    {
        using CancellationTokenSource stop = new();
        running[number] = stop;
        try
        {
            return await work(stop.Token).ConfigureAwait(false);
        }
        finally
        {
            running.TryRemove(number, out _);
        }
    }

    private static string? NullIfEmpty(string text) => text.Length == 0 ? null : text;

    /// <summary>Copies a file, or its first bytes if a limit is given.</summary>
    private static Task<bool> CopyAsync(
        BrowseSession session,
        ServedEntry entry,
        Stream output,
        int most,
        CancellationToken aborted
    ) =>
        session.Trees.UseAsync(
            entry.Version,
            async tree =>
            {
                Stream content = await tree.OpenFileAsync(entry.Node, aborted).ConfigureAwait(false);
                await using (content.ConfigureAwait(false))
                {
                    byte[] buffer = new byte[TabOutput.PieceBytes];
                    long left = most > 0 ? Math.Min(most, content.Length) : content.Length;
                    while (left > 0)
                    {
                        int read = await content
                            .ReadAsync(buffer.AsMemory(0, (int)Math.Min(left, buffer.Length)), aborted)
                            .ConfigureAwait(false);
                        if (read == 0)
                        {
                            throw new IOException($"{entry.Path} ends before its recorded length");
                        }

                        await output.WriteAsync(buffer.AsMemory(0, read), aborted).ConfigureAwait(false);
                        left -= read;
                    }

                    return true;
                }
            },
            aborted
        );
}
