using System.Text.Json;

namespace Restore.Tests.FixtureTests;

/// <summary>A version of a fixture, as its fixture.json describes it.</summary>
/// <param name="Index">0 is the newest.</param>
/// <param name="FileListName">Its file list.</param>
/// <param name="ExpectedFile">Full path of what it must restore to, or null when nothing is
/// expected of it.</param>
/// <param name="Outcome">The required result of a hostile version, in words, or null.</param>
internal sealed record FixtureVersion(int Index, string FileListName, string? ExpectedFile, string? Outcome);

/// <summary>A backup of a fixture.</summary>
internal sealed class FixtureBackup
{
    private readonly JsonElement info;

    public FixtureBackup(string name, JsonElement info, JsonElement backup)
    {
        this.info = info;
        Name = name;
        Folder = Fixtures.Folder(name);
        Prefix = backup.TryGetProperty("prefix", out JsonElement prefix) ? prefix.GetString()! : "";
        SourceRoot = backup.TryGetProperty("source_root", out JsonElement root) ? root.GetString()! : "";
        Versions = [.. backup.GetProperty("versions").EnumerateArray().Select(Version)];
        Databases = info.TryGetProperty("database", out JsonElement files)
            ?
            [
                .. files
                    .EnumerateArray()
                    .Select(file => file.GetString()!)
                    .Where(file => file.EndsWith(".sqlite", StringComparison.Ordinal)),
            ]
            : [];
    }

    public string Name { get; }

    public string Folder { get; }

    public string Prefix { get; }

    /// <summary>
    /// The folder of the source inside of the backup; paths of the expected entries are below it.
    /// </summary>
    public string SourceRoot { get; }

    public IReadOnlyList<FixtureVersion> Versions { get; }

    /// <summary>Local databases that belong to it, relative to the fixture's folder.</summary>
    public IReadOnlyList<string> Databases { get; }

    public string Location => Path.Combine(Folder, "backup");

    /// <summary>The sound fixture that this damaged one is a copy of.</summary>
    public string Base => info.GetProperty("base").GetString()!;

    public JsonElement Info => info;

    /// <summary>What a comparison with the expected files may look at.</summary>
    public TreeChecks Checks
    {
        get
        {
            TreeChecks possible = Environment.IsPrivilegedProcess
                ? TreeChecks.All
                : TreeChecks.All & ~TreeChecks.Owners;
            return info.TryGetProperty("compare", out JsonElement compare) && !compare.GetProperty("times").GetBoolean()
                ? TreeChecks.Content
                : possible;
        }
    }

    /// <summary>Paths that a comparison leaves out.</summary>
    public IReadOnlyList<string> Skipped =>
        info.TryGetProperty("compare", out JsonElement compare)
            ? [.. compare.GetProperty("skip").EnumerateArray().Select(path => path.GetString()!)]
            : [];

    public BackupOptions Options(string database = "") =>
        new()
        {
            Passphrase = info.TryGetProperty("passphrase", out JsonElement passphrase) ? passphrase.GetString() : null,
            Prefix = Prefix,
            DatabasePath = database.Length == 0 ? null : Path.Combine(Folder, database),
        };

    /// <summary>The original path of an entry of an expected file.</summary>
    public string OriginalPath(string path) =>
        path == "." ? SourceRoot
        : SourceRoot == "/" ? "/" + path
        : $"{SourceRoot}/{path}";

    /// <summary>
    /// The path below the source folder, or on Linux for one of Windows below the target; a
    /// folder's without its separator.
    /// </summary>
    public string RelativePath(string originalPath)
    {
        if (originalPath is [_, ':', '\\', ..] or ['\\', '\\', ..])
        {
            return originalPath.Replace(":\\", "\\", StringComparison.Ordinal).Replace('\\', '/').Trim('/');
        }

        string path = originalPath.TrimEnd('/');
        string root = SourceRoot.TrimEnd('/');
        return path == root ? "."
            : path.StartsWith(root + "/", StringComparison.Ordinal) ? path[(root.Length + 1)..]
            : originalPath;
    }

    private FixtureVersion Version(JsonElement version) =>
        new(
            version.GetProperty("index").GetInt32(),
            version.GetProperty("dlist").GetString()!,
            version.TryGetProperty("expected", out JsonElement file) && file.GetString() is string expected
                ? Path.GetFullPath(Path.Combine(Folder, expected))
                : null,
            version.TryGetProperty("outcome", out JsonElement outcome) ? outcome.GetString() : null
        );
}
