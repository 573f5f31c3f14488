using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>Where a new local database is written to.</summary>
internal sealed class DatabaseOptions(Option<string?> output) : OptionGroup
{
    public override string Title => "Target";

    public override IReadOnlyList<Option> Options => [output];

    /// <summary>The file.</summary>
    /// <exception cref="UsageException">It is not named.</exception>
    public string FileOf(CommandLine line)
    {
        var file = line.Value(output) is { Length: > 0 } given ? given : throw new UsageException("Name the file of the new database with --output");
        OutputFile.Check("--output", file);
        return file;
    }
}
