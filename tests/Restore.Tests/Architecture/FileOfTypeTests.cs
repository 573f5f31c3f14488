using System.Text.RegularExpressions;

namespace Restore.Tests.Architecture;

/// <summary>
/// A type stands in a file of its name, where a reader looks for it. The messages of one protocol,
/// and a small record, enumeration or delegate beside the type that it belongs to, may share a
/// file.
/// </summary>
public sealed partial class FileOfTypeTests
{
    private const double LeastShare = 0.9;

    [Fact]
    public void Nine_of_ten_types_stand_in_a_file_of_their_name()
    {
        (string File, string Type)[] types = [.. SourceFiles.In("src").SelectMany(TypesIn)];
        string[] elsewhere = [.. types.Where(type => !IsNamedAfter(type.File, type.Type)).Select(Describe)];
        double share = 1 - ((double)elsewhere.Length / types.Length);
        Assert.True(types.Length > 1000, $"{types.Length} types were found");
        Assert.True(share >= LeastShare, $"{share:P1} of {types.Length}; elsewhere:\n{string.Join('\n', elsewhere)}");
    }

    [Theory]
    [InlineData("internal sealed class Volume(", "Volume")]
    [InlineData("public readonly record struct BlockId(int Number)", "BlockId")]
    [InlineData("internal delegate Task<int> Locate<T>(T needs);", "Locate")]
    [InlineData("public enum Kind", "Kind")]
    [InlineData("    private sealed class Nested", null)]
    [InlineData("// internal class Comment", null)]
    public void A_declaration_is_found_by_its_line(string line, string? name) =>
        Assert.Equal(name, Declaration().Match(line) is { Success: true } match ? match.Groups["name"].Value : null);

    private static IEnumerable<(string File, string Type)> TypesIn(string file) =>
        from line in File.ReadLines(file)
        let match = Declaration().Match(line)
        where match.Success
        select (file, match.Groups["name"].Value);

    private static bool IsNamedAfter(string file, string type) =>
        Path.GetFileName(file).Split('.')[0].Split("Of")[0] == type || Path.GetFileName(file).Split('.')[0] == type;

    private static string Describe((string File, string Type) type) => $"{type.Type} in {Path.GetFileName(type.File)}";

    // With namespaces that have no braces, only types that are not nested begin in the first
    // column.
    [GeneratedRegex(
        @"^(?:(?:public|internal|file|sealed|abstract|static|readonly|ref|partial|unsafe) )*"
            + @"(?:class|struct|interface|enum|record(?: struct| class)?|delegate \S+(?: \S+)*?) "
            + @"(?<name>\w+)\s*(?:[(<:;{]|where|$)"
    )]
    private static partial Regex Declaration();
}
