namespace Restore.Cli.Commands;

/// <summary>
/// Finds the one entry that an argument means: by its name, or by its path in another form.
/// </summary>
internal static class EntryLookup
{
    private const int MostShown = 20;
    private const int MostFound = 10_000;

    /// <summary>
    /// The path that an argument is, if it is one: an @ before a path says that it has no
    /// wildcards.
    /// </summary>
    public static string Written(string text) =>
        text.Length > 1 && text[0] == '@' && text.AsSpan().IndexOfAny('/', '\\') > 0 ? text[1..] : text;

    /// <summary>
    /// The path that an argument means in the versions; null if no entry has it. Throws if several
    /// have.
    /// </summary>
    public static async Task<string?> ToPathAsync(
        CommandContext context,
        Backup backup,
        IReadOnlyList<BackupVersion> versions,
        string text
    )
    {
        var paths = new SortedSet<string>(StringComparer.Ordinal);
        var named = new SortedSet<string>(StringComparer.Ordinal);
        if (text.Length == 0)
        {
            return null;
        }

        var filter = EntryFilter.Parse([text], [], namesTakeContent: false);
        var itself = EntryFilter.Parse([$"@{Written(text)}"], [], namesTakeContent: false);
        var folders = new NamedFolders(itself);
        foreach (var version in versions)
        {
            try
            {
                await foreach (var entry in backup.ListAsync(version, filter, context.Environment.StopToken))
                {
                    // A path takes what is in the folder, too: the first of its parts that is taken
                    // is the folder.
                    _ = itself.Matches(entry.Path)
                        ? named.Count < MostFound && named.Add(folders.Of(entry.Path) ?? entry.Path)
                        : paths.Count < MostFound && paths.Add(entry.Path);
                }
            }
            catch (RestoreException failure)
                when (failure.Kind == RestoreErrorKind.Failed
                    && (
                        versions.Count > 1
                        || (failure.Code == RestoreErrorCode.FileListIncomplete && paths.Count + named.Count > 0)
                    )
                )
            {
                // Other versions may have it.
            }
        }

        paths = named.Count > 0 ? named : paths;
        foreach (var path in paths.Count > 1 ? paths.Take(MostShown) : [])
        {
            context.Messages.WriteLine("  " + SafeText.Escape(path));
        }

        return paths.Count > 1
            ? throw new CommandException(
                ExitCodes.NotFound,
                $"{Units.Count(paths.Count, "entry has", "entries have")} the name {text}; give the path of one"
            )
            : paths.FirstOrDefault();
    }
}
