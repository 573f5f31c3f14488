using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>Which archive, and where to.</summary>
internal sealed class ArchiveOptions(Option<string?> output) : OptionGroup
{
    private readonly Option<bool> tar = Declare.Flag("--tar", "Write a tar archive (pax): with times, modes, owners, links and extended attributes");

    private readonly Option<bool> zip = Declare.Flag("--zip", "Write a zip archive: with times to the second, modes, numbers of owners, and links");

    public override string Title => "Target";

    public override IReadOnlyList<Option> Options => [tar, zip, output];

    /// <exception cref="UsageException">None or both of the formats are given.</exception>
    public (ArchiveFormat Format, string? Path) Of(CommandLine line) => line.Value(tar) == line.Value(zip)
        ? throw new UsageException("Name the format of the archive: --tar or --zip")
        : (line.Value(tar) ? ArchiveFormat.Tar : ArchiveFormat.Zip, line.Value(output));
}
