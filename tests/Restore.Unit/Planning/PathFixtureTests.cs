using System.Text;
using System.Text.Json;
using Restore.Format;
using Restore.Planning.Paths;

namespace Restore.Tests.Planning;

/// <summary>
/// The paths of the hostile and the Windows fixtures, from their file lists: what must be refused
/// is, and what must come back has its place.
/// </summary>
public sealed class PathFixtureTests
{
    public static TheoryData<string> Lists { get; } =
    [
        "windows-paths",
        "hostile/paths-dotdot",
        "hostile/paths-elsewhere",
        "hostile/paths-not-absolute",
        "hostile/names-odd",
        "hostile/duplicate-paths",
        "hostile/link-then-file",
        "hostile/link-then-folder",
        "hostile/case-collide",
        "hostile/dates-as-paths",
        "plain-1mb",
    ];

    [Theory]
    [MemberData(nameof(Lists))]
    public void Exactly_what_must_be_refused_is_refused_on_Unix(string fixture)
    {
        Placement[] placements = Place(fixture, TargetRules.Unix);
        JsonElement info = Fixtures.Info(fixture);
        string[] either = Paths(info, "either");
        string[] refused =
        [
            .. placements
                .Where(placement => placement.RefusedAs is not null && !IsAtOrBelow(placement.Path, either))
                .Select(placement => $"{placement.RefusedAs} {placement.Path}")
                .Order(StringComparer.Ordinal),
        ];
        Assert.Equal(MustBeRefused(info), refused);
    }

    [Theory]
    [MemberData(nameof(Lists))]
    public void All_that_is_expected_has_its_place_on_Unix(string fixture)
    {
        HashSet<string> places =
        [
            .. Place(fixture, TargetRules.Unix)
                .Where(placement => placement.RefusedAs is null)
                .Select(placement => placement.Target!),
        ];
        using JsonDocument expected = JsonDocument.Parse(
            File.ReadAllBytes(Path.Combine(Fixtures.Folder(fixture), "expected-0.json"))
        );
        foreach (JsonElement entry in expected.RootElement.GetProperty("entries").EnumerateArray())
        {
            string path = entry.GetProperty("path").GetString()!;
            Assert.Contains(path == "." ? "" : path, places);
        }
    }

    [Fact]
    public void Names_that_collide_on_macOS_go_to_the_first()
    {
        string[] refused =
        [
            .. Place("hostile/case-collide", TargetRules.MacOS)
                .Where(placement => placement.RefusedAs is not null)
                .Select(placement => placement.Path["/tmp/fx/src/case-collide/data/".Length..]),
        ];
        Assert.Equal(["README.TXT", "readme.txt", "dir/", "dir/inside.txt"], refused);
    }

    [Fact]
    public void A_path_with_backslashes_stays_below_the_target_on_Windows()
    {
        Placement climbing = Place("hostile/paths-dotdot", TargetRules.Windows)
            .Single(placement => placement.Path.EndsWith("backslashes.txt", StringComparison.Ordinal));
        Assert.Equal("..%5C..%5Cname-with-backslashes.txt", climbing.Target);
    }

    private static Placement[] Place(string fixture, TargetRules rules)
    {
        (string Path, EntryKind Kind)[] entries = [.. Entries(fixture)];
        var mapper = new PathMapper(new RestoreOptions { Target = "out" }, rules);
        foreach ((string path, EntryKind kind) in entries)
        {
            mapper.Observe(Encoding.UTF8.GetBytes(path), kind, isSelected: true);
        }

        PathMap map = mapper.Complete();
        var names = new TargetNames(rules);
        return
        [
            .. entries.Select(entry =>
            {
                string? target = map.Map(entry.Path, entry.Kind, out string? refusal);
                string? taken = target is null ? null : names.Claim(Encoding.UTF8.GetBytes(target), entry.Kind);
                string? refusedAs =
                    refusal is not null ? (IsOfAName(refusal) ? "name" : "path")
                    : taken is null ? null
                    : "duplicate";
                return new Placement(entry.Path, target, refusedAs);
            }),
        ];
    }

    private static bool IsOfAName(string refusal) =>
        refusal.Contains(" long; ") || refusal.Contains("NUL") || refusal.Contains("UTF-8");

    private static IEnumerable<(string Path, EntryKind Kind)> Entries(string fixture)
    {
        string newest = Directory
            .GetFiles(Fixtures.Backup(fixture), "*.dlist.zip")
            .Order(StringComparer.Ordinal)
            .Last();
        byte[] list = Fixtures.ZipEntry(newest, "filelist.json");
        using JsonDocument document = JsonDocument.Parse(list.AsMemory(list is [0xEF, 0xBB, 0xBF, ..] ? 3 : 0));
        foreach (JsonElement entry in document.RootElement.EnumerateArray())
        {
            JsonElement path = entry.GetProperty("path");
            if (!HasLoneSurrogate(path))
            {
                yield return (path.GetString()!, Enum.Parse<EntryKind>(entry.GetProperty("type").GetString()!));
            }
        }
    }

    /// <summary>A whole path that is too long is left to the target.</summary>
    private static string[] MustBeRefused(JsonElement info) =>
        [
            .. Items(info, "refuse")
                .Where(item => item.GetProperty("path").GetString()!.Length < 4200)
                .Select(item => $"{item.GetProperty("class").GetString()} {item.GetProperty("path").GetString()}")
                .Order(StringComparer.Ordinal),
        ];

    private static string[] Paths(JsonElement info, string property) =>
        [.. Items(info, property).Select(item => item.GetProperty("path").GetString()!)];

    private static IEnumerable<JsonElement> Items(JsonElement info, string property) =>
        info.TryGetProperty(property, out JsonElement list)
            ? list.EnumerateArray().Where(item => !HasLoneSurrogate(item.GetProperty("path")))
            : [];

    /// <summary>
    /// The lone surrogate of names-odd cannot be said in UTF-8: the reader of the list has to deal
    /// with it.
    /// </summary>
    private static bool HasLoneSurrogate(JsonElement path) =>
        path.GetRawText().Contains("\\ud83d", StringComparison.OrdinalIgnoreCase);

    private static bool IsAtOrBelow(string path, string[] roots) =>
        roots.Any(root => path == root || path.StartsWith(root.TrimEnd('/') + "/", StringComparison.Ordinal));

    private sealed record Placement(string Path, string? Target, string? RefusedAs);
}
