using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>What is tried if something is lost.</summary>
internal sealed class SalvageOptions : OptionGroup
{
    private readonly Option<bool> salvageVersions = Declare.Flag(
        "--salvage-versions",
        "If data is lost: take it from files at the target and at the original places that have it by the list of any version, and name other versions "
        + "in which the lost files are whole");

    public override string Title => "Damage";

    public override IReadOnlyList<Option> Options => [salvageVersions];

    public override HostRequest Apply(HostRequest request, CommandLine line) =>
        request with { Restore = request.Restore with { SalvageVersions = line.Value(salvageVersions) } };
}
