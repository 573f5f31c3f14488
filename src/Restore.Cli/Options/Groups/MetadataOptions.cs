using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>Whether metadata is read; for restores and drills.</summary>
internal sealed class MetadataOptions : OptionGroup
{
    private readonly Option<bool> skipMetadata =
        Declare.Flag("--skip-metadata", "Leave out times, attributes, and links (the target of a link is metadata)");

    public override string Title => "Selection";

    public override IReadOnlyList<Option> Options => [skipMetadata];

    public override HostRequest Apply(HostRequest request, CommandLine line) =>
        request with { Restore = request.Restore with { SkipMetadata = line.Value(skipMetadata) } };
}
