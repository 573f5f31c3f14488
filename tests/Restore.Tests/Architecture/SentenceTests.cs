using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Text.RegularExpressions;

namespace Restore.Tests.Architecture;

/// <summary>What the library says: it knows no host, and its sentences have no full stop, so that a host can put them into its own.</summary>
public sealed partial class SentenceTests
{
    // Read from the tables of the host, and named for people: what only a command line has.
    private static readonly string[] HostWords =
    [
        "restore versions", "restore ls", "restore find", "restore verify", "PASSPHRASE", "AUTH_USERNAME", "AUTH_PASSWORD",
    ];

    // What the generator of JSON code writes into its output; nobody reads it.
    private static readonly string[] Generated =
    [
        "The converter '{0}' is not compatible with the type '{1}'.", "The converter '{0}' cannot return null or a JsonConverterFactory instance.",
        "Setting init-only properties is not supported in source generation mode.",
    ];

    [Fact]
    public void No_sentence_of_the_library_names_an_option_a_command_or_a_variable_of_the_host() => Violations.AssertNone(
        from text in Literals()
        where text.Contains(' ', StringComparison.Ordinal)
        where Option().IsMatch(text) || HostWords.Any(word => text.Contains(word, StringComparison.Ordinal))
        select $"'{text}' is for the host to say; give the failure a code and the advice to Restore.Cli/Advice.cs");

    [Fact]
    public void No_sentence_of_the_library_ends_with_a_full_stop() => Violations.AssertNone(
        from text in Literals().Except(Generated)
        where text.Contains(' ', StringComparison.Ordinal) && text.EndsWith('.') && !text.EndsWith("...", StringComparison.Ordinal)
        select $"'{text}' ends with a full stop");

    [Fact]
    public void No_sentence_of_the_library_ends_with_a_full_stop_after_a_value()
    {
        string root = Path.Combine(Fixtures.RepositoryRoot(), "src", "Restore");
        string[] files = [.. Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories).Where(file => !OfBuild().IsMatch(file))];
        Assert.NotEmpty(files);
        Violations.AssertNone(
            from file in files
            from line in File.ReadLines(file).Index()
            where EndsAfterValue().IsMatch(line.Item) || line.Item.Contains("TrimEnd('.')", StringComparison.Ordinal)
            select $"{Path.GetRelativePath(root, file)}:{line.Index + 1} has a sentence with a full stop, or cuts one off");
    }

    [Fact]
    public void The_check_sees_the_sentences() => Assert.Contains("There is no such folder", Literals());

    /// <summary>Every string that the code of the library loads; of an interpolated one, its parts.</summary>
    private static List<string> Literals()
    {
        using PEReader file = new(File.OpenRead(typeof(Backup).Assembly.Location));
        MetadataReader reader = file.GetMetadataReader();
        List<string> literals = [];
        for (UserStringHandle handle = MetadataTokens.UserStringHandle(1); !handle.IsNil; handle = reader.GetNextHandle(handle))
        {
            literals.Add(reader.GetUserString(handle));
        }

        return literals;
    }

    [GeneratedRegex("--([a-z]|$)")]
    private static partial Regex Option();

    [GeneratedRegex("""\$".*}\."(?!\w)""")]
    private static partial Regex EndsAfterValue();

    [GeneratedRegex(@"[\\/](obj|bin)[\\/]")]
    private static partial Regex OfBuild();
}
