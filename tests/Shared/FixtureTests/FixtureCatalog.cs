using System.Text.Json;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.FixtureTests;

/// <summary>
/// The fixtures that this machine has, found by looking, so that none is forgotten.
/// </summary>
internal static class FixtureCatalog
{
    /// <summary>How many fixtures there are.</summary>
    public const int CountInAll = 98;

    /// <summary>Only GnuPG can read its volumes.</summary>
    public const string Gpg = "gpg";

    /// <summary>Names of all fixtures: "plain-1mb", "damaged/base-plain".</summary>
    public static string[] Names { get; } =
    [.. NamesIn(Path.Combine(Fixtures.RepositoryRoot(), "tests", "fixtures")).Order(StringComparer.Ordinal)];

    public static IEnumerable<string> Intact => Names.Where(name => !IsDamaged(name) && !IsHostile(name));

    /// <summary>The backups of the intact ones that can be read on this machine.</summary>
    public static IEnumerable<FixtureBackup> Readable =>
        Intact
            .Where(name => name != Gpg || NeedsGpgAttribute.HasGpg)
            .SelectMany(BackupsOf)
            .Where(backup => backup.Versions.Count > 0);

    public static IEnumerable<string> Damaged => Names.Where(IsDamaged);

    /// <summary>
    /// Those that say what may be refused: the hostile ones, and two that are not.
    /// </summary>
    public static IEnumerable<string> Judged =>
        Names.Where(name => IsHostile(name) || name is "windows-paths" or "hand-made");

    /// <summary>The backups of a fixture: one, but for the folder that holds several.</summary>
    public static IEnumerable<FixtureBackup> BackupsOf(string name)
    {
        JsonElement info = Fixtures.Info(name);
        return info.TryGetProperty("backups", out JsonElement backups)
            ? backups.EnumerateArray().Select(backup => new FixtureBackup(name, info, backup))
            : [new FixtureBackup(name, info, info)];
    }

    /// <summary>One of the backups of a fixture, by its prefix.</summary>
    public static FixtureBackup Find(string name, string prefix) =>
        BackupsOf(name).Single(backup => backup.Prefix == prefix);

    private static bool IsDamaged(string name) =>
        name.StartsWith("damaged/", StringComparison.Ordinal)
        && !name.StartsWith("damaged/base-", StringComparison.Ordinal);

    private static bool IsHostile(string name) => name.StartsWith("hostile/", StringComparison.Ordinal);

    private static IEnumerable<string> NamesIn(string root) =>
        Directory
            .EnumerateFiles(root, "fixture.json", SearchOption.AllDirectories)
            .Select(file => Path.GetRelativePath(root, Path.GetDirectoryName(file)!).Replace('\\', '/'));
}
