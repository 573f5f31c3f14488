using System.CommandLine;
using Restore.Cli.Parsing;

namespace Restore.Cli.Options.Groups;

/// <summary>Which versions go and which stay, by Duplicati's names.</summary>
internal sealed class RetentionOptions(VersionOptions versions, TimeProvider clock) : OptionGroup
{
    private readonly Option<int?> keepVersions = Declare.Count(
        "--keep-versions", 0, int.MaxValue, "all", "Keep this many full versions, the newest; partial versions between full ones go");

    private readonly Option<DateTimeOffset?> keepTime = Declare.Time(
        "--keep-time", clock,
        "Keep the versions of this time and later: 3M (three months) or 2026-01-31; with a tolerance of 1 % of the time since then, at most an hour");

    private readonly Option<RetentionPolicy?> policy = Declare.Policy(
        "--retention-policy",
        "Time frames and the least interval between versions in them: 7D:1D,4W:1W,12M:1M. U is unlimited. What is older than all frames goes");

    private readonly Option<bool> allowFullRemoval = Declare.Flag(
        "--allow-full-removal", "Let all versions go; without it the newest stays if all would go");

    private readonly Option<bool> exact = Declare.Flag("--disable-time-tolerance", "Take --keep-time to the second");

    public override string Title => "Keeping";

    public override IReadOnlyList<Option> Options => [versions.Numbers, keepVersions, keepTime, policy, allowFullRemoval, exact];

    /// <summary>The versions that are named; null if none are.</summary>
    public VersionNumbers? NumbersOf(CommandLine line) => line.Value(versions.Numbers);

    /// <summary>The other rules.</summary>
    /// <exception cref="UsageException">There is no rule, or there are several that Duplicati does not take together.</exception>
    public RetentionRules RulesOf(CommandLine line)
    {
        RetentionRules rules = new()
        {
            KeepVersions = line.Value(keepVersions) is > 0 and var count ? count : null,
            KeepSince = line.Value(keepTime),
            Policy = line.Value(policy),
            AllowsFullRemoval = line.Value(allowFullRemoval),
            IsExact = line.Value(exact),
        };
        string[] given =
        [
            .. rules.KeepVersions is null ? [] : new[] { "--keep-versions" }, .. rules.KeepSince is null ? [] : new[] { "--keep-time" },
            .. rules.Policy is null ? [] : new[] { "--retention-policy" },
        ];
        if (given.Length > 1)
        {
            throw new UsageException($"{string.Join(" and ", given)} exclude each other; give one of them");
        }

        return given.Length == 1 || NumbersOf(line) is not null
            ? rules
            : throw new UsageException("Say which versions stay with --keep-versions, --keep-time or --retention-policy, or which go with --version");
    }
}
