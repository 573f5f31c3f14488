using FsCheck;
using FsCheck.Fluent;
using Restore.Format.Selection;

namespace Restore.Tests.Planning;

public class GlobPatternProperties
{
    private static readonly Gen<string> Globs = Gen.Elements('a', 'B', '/', '*', '?')
        .ArrayOf()
        .Resize(8)
        .Select(characters => new string(characters));
    private static readonly Gen<string> Paths = Gen.Elements('a', 'A', 'b', '/', '*')
        .ArrayOf()
        .Resize(8)
        .Select(characters => new string(characters));

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_glob_matches_what_its_definition_says(bool caseSensitive) =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(2000),
            Prop.ForAll(
                Globs.ToArbitrary(),
                Paths.ToArbitrary(),
                (glob, path) =>
                    GlobPattern.Parse(glob, caseSensitive).IsMatch(path) == ByDefinition(glob, path, caseSensitive)
            )
        );

    private static bool ByDefinition(ReadOnlySpan<char> glob, ReadOnlySpan<char> path, bool caseSensitive)
    {
        if (glob is "**")
        {
            return path.Length > 0;
        }

        if (glob.IsEmpty)
        {
            return path.IsEmpty;
        }

        if (glob[0] == '*')
        {
            // A run is nothing, or one character and a run. What is left of "***" after its first
            // star still is a "**" at the end.
            return ByDefinition(glob[1..], path, caseSensitive)
                || (!path.IsEmpty && ByDefinition(glob, path[1..], caseSensitive));
        }

        bool isSame =
            !path.IsEmpty
            && (
                glob[0] == '?'
                || glob[0] == path[0]
                || (!caseSensitive && char.ToUpperInvariant(glob[0]) == char.ToUpperInvariant(path[0]))
            );
        return isSame && ByDefinition(glob[1..], path[1..], caseSensitive);
    }
}
