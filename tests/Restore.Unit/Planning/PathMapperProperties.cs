using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Restore.Format;
using Restore.Planning.Paths;

namespace Restore.Tests.Planning;

public class PathMapperProperties
{
    private static readonly Gen<string> Names = Gen.Elements("a", "aa", "b", "..foo", "...", "con", "x?", "é");
    private static readonly Gen<string> SoundPaths = Names
        .ArrayOf()
        .Resize(4)
        .SelectMany(
            _ => Gen.Elements("", "/"),
            (names, end) => names.Length == 0 ? "/" : "/" + string.Join('/', names) + end
        );

    private static readonly Gen<string> AnyPaths = Gen.Elements(
            "/",
            "\\",
            ".",
            "..",
            "C:",
            "a",
            "?",
            " ",
            "\0",
            "CON",
            "é",
            "\ud83d"
        )
        .ArrayOf()
        .Resize(8)
        .SelectMany(_ => Gen.Elements("/", "C:\\", "\\\\", ""), (parts, root) => root + string.Concat(parts));

    [Fact]
    public void The_common_prefix_is_the_longest_folder_that_all_begin_with() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(1000),
            Prop.ForAll(
                SoundPaths.NonEmptyListOf().Resize(5).ToArbitrary(),
                paths =>
                {
                    var prefix = new CommonPrefix(PathStyle.Unix);
                    foreach (string path in paths)
                    {
                        prefix.Add(Encoding.UTF8.GetBytes(path));
                    }

                    string first = paths[0];
                    string expected = Enumerable
                        .Range(0, first.Length + 1)
                        .Select(length => first[..length])
                        .Last(candidate =>
                            candidate.Length == 0
                            || (
                                candidate.EndsWith('/')
                                && paths.All(path => path.StartsWith(candidate, StringComparison.Ordinal))
                            )
                        );
                    return Encoding.UTF8.GetString(prefix.Folder) == expected;
                }
            )
        );

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void No_target_path_leads_out_of_the_target(bool toWindows, bool keepFullPaths)
    {
        TargetRules rules = toWindows ? TargetRules.Windows : TargetRules.Unix;
        var options = new RestoreOptions { Target = "out", DontCompressRestorePaths = keepFullPaths };
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(2000),
            Prop.ForAll(
                AnyPaths.ListOf().Resize(5).ToArbitrary(),
                paths =>
                {
                    var mapper = new PathMapper(options, rules);
                    foreach (string path in paths)
                    {
                        mapper.Observe(Encoding.UTF8.GetBytes(path), KindOf(path), isSelected: true);
                    }

                    PathMap map = mapper.Complete();
                    return paths.All(path =>
                        map.Map(path, KindOf(path), out string? refusal) is { } target
                            ? IsInside(target, rules)
                            : refusal is not null
                    );
                }
            )
        );
    }

    [Fact]
    public void Every_sound_path_has_a_place_of_its_own_on_Unix() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(1000),
            Prop.ForAll(
                SoundPaths.NonEmptyListOf().Resize(6).ToArbitrary(),
                paths =>
                {
                    string[] distinct = [.. paths.DistinctBy(path => path.TrimEnd('/'))];
                    var mapper = new PathMapper(new RestoreOptions { Target = "out" }, TargetRules.Unix);
                    foreach (string path in distinct)
                    {
                        mapper.Observe(Encoding.UTF8.GetBytes(path), KindOf(path), isSelected: true);
                    }

                    PathMap map = mapper.Complete();
                    return distinct.Select(path => map.Map(path, KindOf(path), out _)!).Distinct().Count()
                        == distinct.Length;
                }
            )
        );

    private static EntryKind KindOf(string path) => path is [.., '/' or '\\'] ? EntryKind.Folder : EntryKind.File;

    private static bool IsInside(string target, TargetRules rules) =>
        target.Length == 0
        || target
            .Split('/')
            .All(name =>
                name is not ("" or "." or "..") && !name.Contains('\0') && (!rules.IsWindows || IsWindowsName(name))
            );

    private static bool IsWindowsName(string name) =>
        name.IndexOfAny([.. "<>:\"/\\|?*"]) < 0 && name[^1] is not ('.' or ' ');
}
