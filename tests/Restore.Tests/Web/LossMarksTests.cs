using Restore.Browse.Health;
using Restore.Browse.Index;

namespace Restore.Tests.Web;

/// <summary>Which issues mark a content of the backup as lost.</summary>
public sealed class LossMarksTests
{
    private const string Path = "/home/ann/letter.txt";

    private static readonly BackupVersion Newest = new(
        0,
        DateTimeOffset.UnixEpoch,
        "duplicati-19700101T000000Z.dlist.zip"
    );

    private static readonly NodeState[] States =
    [
        new(0, 0, 1, new EntryVersion(BackupEntryKind.File, 10, 0, 1)),
        new(0, 2, 3, new EntryVersion(BackupEntryKind.File, 12, 0, 2)),
    ];

    private static readonly RestoreIssue Damaged = new(IssueKind.Damaged, Path, "Some bytes are lost");

    public static TheoryData<RestoreIssue> Losses =>
        [
            Damaged with
            {
                LostRanges = [new ByteRange(0, 5)],
            },
            Damaged with
            {
                LostRangesLeftOut = 1,
            },
            Damaged with
            {
                Unverified = true,
            },
        ];

    public static TheoryData<RestoreIssue> OfTheTargetAlone =>
        [
            new RestoreIssue(IssueKind.Doubtful, Path, "The device lost data of the file"),
            new RestoreIssue(IssueKind.Missing, Path, "No file list that can be read has its last good content"),
            new RestoreIssue(IssueKind.Refused, Path, "Something else has its name at the target"),
        ];

    [Theory]
    [MemberData(nameof(Losses))]
    public void Lost_bytes_and_a_wrong_hash_mark_the_content_and_name_the_version_of_another_state(RestoreIssue issue)
    {
        LossMarks marks = new();
        marks.Add([issue], Newest);
        Assert.Equal(new LossMark(IssueKind.Damaged, 2), marks.Of(Path, 0, States));
        Assert.Equal(new LossMark(IssueKind.Damaged, 2), marks.Of(Path, 1, States));
        Assert.Null(marks.Of(Path, 2, States));
    }

    [Theory]
    [MemberData(nameof(OfTheTargetAlone))]
    public void What_says_nothing_about_bytes_of_the_backup_marks_none(RestoreIssue issue)
    {
        LossMarks marks = new();
        marks.Add([issue], Newest);
        Assert.Null(marks.Of(Path, 0, States));
    }
}
