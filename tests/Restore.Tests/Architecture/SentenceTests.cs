using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Text.RegularExpressions;

namespace Restore.Tests.Architecture;

/// <summary>
/// Messages: those of the library name no option and no command, and no message ends with a full
/// stop, so that it fits into any other text.
/// </summary>
public sealed partial class SentenceTests
{
    // Read from the tables of the host, and named for people: what only a command line has.
    private static readonly string[] HostWords =
    [
        "restore versions",
        "restore ls",
        "restore find",
        "restore verify",
        "PASSPHRASE",
        "AUTH_USERNAME",
        "AUTH_PASSWORD",
    ];

    // What the generator of JSON code writes into its output; nobody reads it.
    private static readonly string[] Generated =
    [
        "The converter '{0}' is not compatible with the type '{1}'.",
        "The converter '{0}' cannot return null or a JsonConverterFactory instance.",
        "Setting init-only properties is not supported in source generation mode.",
        "The property or field '{0}' on type '{1}' doesn't allow getting null values. Consider updating its nullability annotation.",
    ];

    // The help is prose, and the only text of several lines.
    private const string Help =
        "Restores Duplicati backups: fetches each volume once, verifies every block, and needs no local database.";

    // Messages of .NET and of other libraries end with a full stop: this file, and no other, adapts
    // them.
    private const string Adapter = "ExceptionReason.cs";

    [Fact]
    public void No_message_of_the_library_names_an_option_a_command_or_a_variable_of_the_host() =>
        Violations.AssertNone(
            from text in Literals("Restore")
            where text.Contains(' ', StringComparison.Ordinal)
            where Option().IsMatch(text) || HostWords.Any(word => text.Contains(word, StringComparison.Ordinal))
            select $"'{text}' is for the host to say; give the failure a code and the advice to Restore.Cli/Advice.cs"
        );

    [Theory]
    [InlineData("Restore")]
    [InlineData("Restore.Sftp")]
    [InlineData("Restore.S3")]
    [InlineData("Restore.Azure")]
    [InlineData("Restore.DependencyInjection")]
    [InlineData("Restore.Cli")]
    public void No_message_ends_with_a_full_stop(string assembly) =>
        Violations.AssertNone(
            from text in Literals(assembly).Except(Generated)
            where text != Help && !text.Contains('\n', StringComparison.Ordinal)
            where
                text.Contains(' ', StringComparison.Ordinal)
                && text.EndsWith('.')
                && !text.EndsWith("...", StringComparison.Ordinal)
            select $"'{text}' ends with a full stop"
        );

    [Fact]
    public void No_message_ends_with_a_full_stop_after_a_value_and_no_code_cuts_one_off()
    {
        string root = Path.Combine(Fixtures.RepositoryRoot(), "src");
        string[] files =
        [
            .. Directory
                .EnumerateFiles(root, "*.cs", SearchOption.AllDirectories)
                .Where(file => !OfBuild().IsMatch(file)),
        ];
        Assert.NotEmpty(files);
        Violations.AssertNone(
            from file in files
            where Path.GetFileName(file) is not ("HelpText.cs" or Adapter)
            from line in File.ReadLines(file).Index()
            where EndsAfterValue().IsMatch(line.Item) || CutsFullStop().IsMatch(line.Item)
            select $"{Path.GetRelativePath(root, file)}:{line.Index + 1} has a message with a full stop, or cuts one off"
        );
    }

    [Fact]
    public void The_check_sees_the_messages() => Assert.Contains("There is no such folder", Literals("Restore"));

    /// <summary>
    /// Every string that the code of an assembly loads; of an interpolated one, its parts.
    /// </summary>
    private static List<string> Literals(string assembly)
    {
        using PEReader file = new(File.OpenRead(Assembly.Load(assembly).Location));
        MetadataReader reader = file.GetMetadataReader();
        List<string> literals = [];
        for (
            UserStringHandle handle = MetadataTokens.UserStringHandle(1);
            !handle.IsNil;
            handle = reader.GetNextHandle(handle)
        )
        {
            literals.Add(reader.GetUserString(handle));
        }

        return literals;
    }

    [GeneratedRegex("--([a-z]|$)")]
    private static partial Regex Option();

    [GeneratedRegex("""\$".*}\."(?!\w)""")]
    private static partial Regex EndsAfterValue();

    [GeneratedRegex(@"TrimEnd\('\.'\)|, '\.'\]|\+ ""\.""")]
    private static partial Regex CutsFullStop();

    [GeneratedRegex(@"[\\/](obj|bin)[\\/]")]
    private static partial Regex OfBuild();
}
