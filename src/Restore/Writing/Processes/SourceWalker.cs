using System.IO.Enumeration;
using Restore.Writing.Messages;
using Restore.Writing.Source;

namespace Restore.Writing.Processes;

/// <summary>
/// Walks the sources, each folder's entries in order of their names, and follows no link unless
/// asked to, not even one that takes the place of a folder meanwhile (on Linux). Entries that
/// cannot be read are reported and left out.
/// </summary>
internal sealed class SourceWalker(WriterSettings settings, ChangedFiles? changed = null)
{
    // Large enough to make the cost of a message negligible, and small enough that all readers get
    // a part of a small source.
    private const int EntriesPerMessage = 64;
    private const long BytesPerMessage = 4 << 20;

    private const string NotText = "Its name is not UTF-8 text, which a backup cannot hold; it is not in the backup";

    private static readonly EnumerationOptions All = new()
    {
        AttributesToSkip = 0,
        IgnoreInaccessible = false,
        RecurseSubdirectories = false,
    };

    private readonly DestinationFolder destination = new(settings.Options);
    private readonly SourceRules rules = new(settings.Options);
    private readonly Dictionary<string, SourceRoot> roots = SourceRoot
        .Distinct(settings.Options.Sources, settings.Options.Symlinks == SymlinkPolicy.Follow)
        .ToDictionary(root => root.Path);

    private readonly FoldersInWait? waiting = settings.Options.ExcludeEmptyFolders ? new FoldersInWait() : null;
    private EntriesFound found = new();
    private long foundBytes;

    public long LeftOut { get; private set; }

    /// <summary>Whether the walk ended before its end, because the backup is to stop.</summary>
    public bool IsStopped { get; private set; }

    private bool FollowsLinks => settings.Options.Symlinks == SymlinkPolicy.Follow;

    public async Task RunAsync(IWriteChannelEnd<EntriesFound> output, CancellationToken cancellationToken)
    {
        Stack<string> folders = new();
        using LinuxFolder opened = new();
        destination.Look();
        if (changed is not null)
        {
            await LookAtChangedAsync(changed, output, cancellationToken).ConfigureAwait(false);
            return;
        }

        foreach (SourceRoot source in roots.Values.Where(IsThere))
        {
            if (settings.Options.StopToken.IsCancellationRequested)
            {
                IsStopped = true;
                break;
            }

            Look(source.Path, folders, Kernel.CurrentFolder, source, isSource: true);
            while (folders.TryPop(out string? folder))
            {
                if (settings.Options.StopToken.IsCancellationRequested)
                {
                    IsStopped = true;
                    break;
                }

                (string[] paths, int handle) = List(folder, source, opened);
                foreach (string path in paths)
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    Look(path, folders, handle, source, isSource: false);
                    await SendAsync(output, isLast: false).ConfigureAwait(false);
                }
            }

            LeaveOutEmpty();
        }

        await SendAsync(output, isLast: true).ConfigureAwait(false);
    }

    private bool IsThere(SourceRoot source) => !settings.Options.AllowMissingSources || !SourceChecks.IsMissing(source);

    /// <summary>
    /// Looks at paths as the walk through their folders would. A path that no longer exists is not
    /// in the backup, and is not an issue.
    /// </summary>
    private async Task LookAtChangedAsync(
        ChangedFiles paths,
        IWriteChannelEnd<EntriesFound> output,
        CancellationToken cancellationToken
    )
    {
        using LinuxFolder opened = new();
        foreach (
            string path in paths
                .Changed.Select(SourceRoot.Full)
                .Distinct(StringComparer.Ordinal)
                .Order(StringComparer.Ordinal)
        )
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (settings.Options.StopToken.IsCancellationRequested)
            {
                IsStopped = true;
                break;
            }

            if (roots.Values.FirstOrDefault(root => path == root.Path || root.Contains(path)) is not { } source)
            {
                Report(path, "It is in no source, so it was not looked at", IssueKind.Warning);
                continue;
            }

            LookAtChanged(path, source, opened);
            await SendAsync(output, isLast: false).ConfigureAwait(false);
        }

        LeaveOutEmpty();
        await SendAsync(output, isLast: true).ConfigureAwait(false);
    }

    private void LookAtChanged(string path, SourceRoot source, LinuxFolder opened)
    {
        try
        {
            if (path != source.Path && !IsReached(path, source))
            {
                LeftOut++;
                return;
            }

            bool isByHandle = path != source.Path && !FollowsLinks && OperatingSystem.IsLinux();
            int handle = isByHandle ? opened.Open(source, Path.GetDirectoryName(path.AsSpan())) : Kernel.CurrentFolder;

            // This throws if the path is not there, which Look would report as an issue.
            _ = File.GetAttributes(path);
            Look(path, new Stack<string>(), handle, source, isSource: path == source.Path);
        }
        catch (Exception failure) when (failure is FileNotFoundException or DirectoryNotFoundException)
        {
            // It was deleted, so it is not in the backup.
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            Report(path, $"Its status could not be read, and it is not in the backup: {failure.Reason()}");
        }
    }

    /// <summary>Whether a walk from the source looks into each folder above a path.</summary>
    private bool IsReached(string path, SourceRoot source)
    {
        for (
            string folder = Path.GetDirectoryName(path)!;
            folder.Length > source.Path.Length;
            folder = Path.GetDirectoryName(folder)!
        )
        {
            SourceStatus status = SourceStatus.Read(folder);
            if (status.Kind == EntryKind.Symlink && FollowsLinks)
            {
                continue;
            }

            if (
                folder == destination.Path
                || status.Kind is not { } kind
                || !rules.Judge(new SourceEntry(folder, kind, status), isSource: false, Kernel.CurrentFolder).LooksInto
            )
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>The paths of the entries in a folder, and the handle to look at them.</summary>
    private (string[] Paths, int Handle) List(string folder, SourceRoot source, LinuxFolder opened)
    {
        try
        {
            int handle =
                FollowsLinks || !OperatingSystem.IsLinux() ? Kernel.CurrentFolder : opened.Open(source, folder);
            string place = LinuxSource.OfHandle(handle, folder);
            string[] paths =
            [
                .. new FileSystemEnumerable<string>(
                    place,
                    (ref FileSystemEntry entry) => Path.Join(folder, entry.FileName),
                    All
                ),
            ];
            Array.Sort(paths, StringComparer.Ordinal);
            return (WithoutRepeated(paths), handle);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // The system names the handle by which the folder is listed, which says nothing to a user.
            string reason = failure is UnauthorizedAccessException ? $"access to {folder} is denied" : failure.Reason();
            Report(folder, $"What is in the folder could not be listed, and is not in the backup: {reason}");

            // What is in a folder that cannot be listed is unknown, so it does not count as empty.
            TakeAbove(folder);
            return ([], Kernel.CurrentFolder);
        }
    }

    /// <summary>
    /// A name that is not UTF-8 arrives with replacement characters, and another entry may really
    /// have that name.
    /// </summary>
    private string[] WithoutRepeated(string[] sorted)
    {
        bool isAnyRepeated = false;
        for (int i = 1; i < sorted.Length; i++)
        {
            if (sorted[i] == sorted[i - 1])
            {
                Report(sorted[i], NotText);
                isAnyRepeated = true;
            }
        }

        return isAnyRepeated ? [.. sorted.Distinct(StringComparer.Ordinal)] : sorted;
    }

    private void Look(string path, Stack<string> folders, int handle, SourceRoot source, bool isSource)
    {
        try
        {
            if (!isSource && roots.ContainsKey(path))
            {
                // If a source is a link, only the target of the link is a source.
                return;
            }

            if (Encoding.UTF8.GetByteCount(path) is var length and >= NativeText.PathBytes)
            {
                Report(
                    path,
                    $"Its path has {length:N0} bytes, and no path of {NativeText.PathBytes:N0} or more can be restored; it is not in the backup, "
                        + "nor is anything in it"
                );
                return;
            }

            if (
                rules.Follow(path, SourceStatus.Read(path, handle, follows: isSource && source.IsFolder))
                is not { } status
            )
            {
                Report(
                    path,
                    "It is a link to nothing, and links are followed, so it is not in the backup",
                    IssueKind.Warning
                );
                return;
            }

            if (destination.Is(path, status))
            {
                Report(path, "The folder is where the backup itself goes; it is not in the backup", IssueKind.Warning);
                return;
            }

            if (status.Kind is not { } kind)
            {
                Report(path, "It is a pipe, a socket or a device, which a backup cannot hold", IssueKind.Warning);
                return;
            }

            SourceEntry entry = new(path, kind, status)
            {
                Source = FollowsLinks ? null : source,
                IsFollowed = FollowsLinks || (isSource && source.IsFolder),
            };
            SourceVerdict verdict = rules.Judge(entry, isSource, handle);
            if (verdict.LooksInto)
            {
                folders.Push(path);
            }

            if (!verdict.IsTaken)
            {
                LeaveOut(entry, verdict.Reason);
                return;
            }

            if (isSource && kind == EntryKind.Symlink)
            {
                Report(path, OnlyTheLink(status), IssueKind.LeftOut);
            }

            if (waiting is not null && kind == EntryKind.Folder && !isSource)
            {
                waiting.Add(entry);
                return;
            }

            TakeAbove(path);
            Take(entry, verdict.Reason);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            Report(
                path,
                failure is FileNotFoundException && path.Contains('\uFFFD', StringComparison.Ordinal)
                    ? NotText
                    : $"Its status could not be read, and it is not in the backup: {failure.Reason()}"
            );
        }
    }

    private static string OnlyTheLink(in SourceStatus status) =>
        status.IsLinkToFolder
            ? "The source is a link: only the link is in the backup, and nothing of the folder that it leads to. "
                + "The same path with a separator at its end means the folder"
            : "The source is a link: only the link is in the backup, and not what it leads to";

    private void Take(in SourceEntry entry, string? reason)
    {
        found.Entries.Add(entry);
        foundBytes += entry.Status.SizeBytes;
        settings.Options.Decisions?.Report(
            new SourceDecision(entry.ListedPath, entry.Status.SizeBytes, IsTaken: true, reason)
        );
    }

    private void LeaveOut(in SourceEntry entry, string? reason)
    {
        LeftOut++;
        settings.Options.Decisions?.Report(
            new SourceDecision(entry.ListedPath, entry.Status.SizeBytes, IsTaken: false, reason)
        );
    }

    /// <summary>
    /// Takes the folders above an entry, and a folder itself, that waited for something to be in
    /// them.
    /// </summary>
    private void TakeAbove(string path)
    {
        foreach (SourceEntry folder in waiting?.Release(path) ?? [])
        {
            Take(folder, null);
        }
    }

    private void LeaveOutEmpty()
    {
        foreach (SourceEntry folder in waiting?.Left ?? [])
        {
            LeaveOut(folder, "no file in it is taken");
        }

        waiting?.Clear();
    }

    private void Report(string path, string reason, IssueKind kind = IssueKind.Missing) =>
        found.Issues.Add(new RestoreIssue(kind, path, reason));

    private async ValueTask SendAsync(IWriteChannelEnd<EntriesFound> output, bool isLast)
    {
        int count = found.Entries.Count + found.Issues.Count;
        if (count >= EntriesPerMessage || foundBytes >= BytesPerMessage || (isLast && count > 0))
        {
            await output.WriteAsync(found).ConfigureAwait(false);
            found = new EntriesFound();
            foundBytes = 0;
        }
    }
}
