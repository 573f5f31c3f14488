namespace Restore.Cli.Commands;

/// <summary>The quota of a backup. As in Duplicati, going over it is only a warning.</summary>
internal sealed class QuotaOptions
{
    private const int UsualPercent = 10;

    private readonly Option<long?> size = Declare.Size(
        "--quota-size",
        "mb",
        "1b",
        "1000tb",
        "no limit",
        "Warn if the volumes of the backup are longer together; they are written all the same"
    );

    private readonly Option<int?> threshold = Declare.Count(
        "--quota-warning-threshold",
        0,
        100,
        "10",
        "Warn before that, if less is left than this share of the backup, in percent"
    );

    public IReadOnlyList<Option> Options => [size, threshold];

    /// <summary>The warning for a backup of this length; null without a reason to warn.</summary>
    public RestoreIssue? WarningOf(CommandLine line, string destination, long storedBytes)
    {
        if (line.Value(size) is not { } quota)
        {
            return null;
        }

        var left = quota - storedBytes;
        return left < 0
                ? Warning($"The backup is longer than its quota: {Units.Bytes(storedBytes)} of {Units.Bytes(quota)}")
            : left < storedBytes / 100d * (line.Value(threshold) ?? UsualPercent)
                ? Warning(
                    $"The quota of the backup is nearly reached: {Units.Bytes(storedBytes)} of {Units.Bytes(quota)}"
                )
            : null;

        RestoreIssue Warning(string text) => new(IssueKind.Warning, StorageLocation.Shown(destination), text);
    }
}
