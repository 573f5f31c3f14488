namespace Restore.Catalog;

/// <summary>
/// Passes the entries of a list on, some at a time. If the list turns out to be damaged, continues
/// with the entries that can still be read.
/// </summary>
internal sealed class ListPassage(
    FileListReading reading,
    Volume volume,
    BackupVersion version,
    IFileListSink sink,
    IssueLog issues
) : IDisposable
{
    private readonly Passed passed = new(sink);
    private OpenedList? list;

    /// <returns>False at the end; then the issues say what is wrong with the list.</returns>
    /// <exception cref="RestoreException">The list cannot be used, and nothing is left of
    /// it.</exception>
    public async Task<bool> ReadSomeAsync(long count, CancellationToken cancellationToken)
    {
        try
        {
            list ??= Opened(
                await reading
                    .ReadAsync(
                        volume,
                        version,
                        source => reading.OpenToPassAsync(source, cancellationToken),
                        cancellationToken
                    )
                    .ConfigureAwait(false)
            );
            return await reading
                .ReadAsync(volume, version, _ => Task.FromResult(Read(list)), cancellationToken)
                .ConfigureAwait(false);
        }
        catch (RestoreException failure) when (list is not { IsSalvaged: true } && ListSalvage.IsWorthTrying(failure))
        {
            list?.Dispose();
            list = null;
            return await reading
                .Salvage.ReadAsync(volume, version, failure, Again, cancellationToken)
                .ConfigureAwait(false);
        }

        // The salvaged list begins at its first entry, and the sink cannot take entries back. The
        // receiver in between skips the entries that the sink has.
        bool Again(OpenedList salvaged)
        {
            list = Opened(salvaged);
            passed.Begin();
            return Read(list);
        }

        bool Read(OpenedList from)
        {
            if (from.ReadSome(passed, count, cancellationToken))
            {
                return true;
            }

            issues.AddRange(reading.Salvage.IssuesOf(from, version));
            return false;
        }
    }

    public void Dispose() => list?.Dispose();

    private OpenedList Opened(OpenedList opened)
    {
        if (opened.Issue is { } issue && !issues.Contains(issue))
        {
            issues.Add(issue);
        }

        issues.HasPartialList |= !opened.IsFullBackup;
        return opened;
    }

    /// <summary>Passes each entry on once, also if the list is begun again.</summary>
    private sealed class Passed(IFileListSink sink) : IFileListSink
    {
        private long most;
        private long next;

        public void Begin() => next = 0;

        public void Entry(in FileListEntry entry)
        {
            if (IsNew())
            {
                sink.Entry(entry);
            }
        }

        public void Unusable(string path, string reason)
        {
            if (IsNew())
            {
                sink.Unusable(path, reason);
            }
        }

        private bool IsNew()
        {
            bool isNew = next++ == most;
            most = Math.Max(most, next);
            return isNew;
        }
    }
}
