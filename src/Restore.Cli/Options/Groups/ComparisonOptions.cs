using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>What a version is compared with, and what the exit code says.</summary>
/// <param name="target">The options of the target, of which a comparison takes the folder and how paths are mapped.</param>
internal sealed class ComparisonOptions(TargetOptions target) : OptionGroup
{
    private readonly Option<bool> exitCode = Declare.Flag("--exit-code", "End with 7 if there are differences, as scripts need it");

    public override string Title => "Target";

    public override IReadOnlyList<Option> Options => [target.KeepsPaths, target.TrustsTimes, exitCode];

    public override HostRequest Apply(HostRequest request, CommandLine line) => request with
    {
        Restore = request.Restore with { DontCompressRestorePaths = line.Value(target.KeepsPaths), TrustTimes = line.Value(target.TrustsTimes) },
    };

    public bool TellsByExitCode(CommandLine line) => line.Value(exitCode);
}
