using Restore.Cli;
using Restore.Tests.Support;
using Restore.Tests.Trust;

namespace Restore.Tests.Restoring;

/// <summary>A plan that is executed after files changed that it calls right.</summary>
public sealed class OldPlanTests
{
    private static readonly string[] Names =
    [
        "edited",
        "edited-with-its-time",
        "gone",
        "longer",
        "renewed",
        "same",
        "touched",
    ];

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Files_that_changed_since_are_not_reported_as_right_and_stay_as_they_are(bool isSaved)
    {
        using MadeBackup backup = new();
        foreach (string name in Names)
        {
            backup.File("/s/" + name, MadeVersion.Content(name.Length, 5000), MadeBackup.Metadata());
        }

        RestoreOptions options = new() { Target = backup.Target };
        Assert.Equal(ExitCodes.Complete, ExitCodes.Of(await backup.Write().RestoreAsync(options)));
        await using Backup opened = await Backup.OpenAsync(backup.Source);
        RestorePlan plan = await opened.PlanAsync(opened.Versions[0], options);
        Assert.Equal(Names.Length, plan.FilesUnchanged);
        if (isSaved)
        {
            using MemoryStream saved = new();
            await plan.SaveAsync(saved);
            saved.Position = 0;
            plan = await RestorePlan.LoadAsync(saved);
        }

        DateTime time = File.GetLastWriteTimeUtc(backup.At("edited"));
        File.WriteAllBytes(backup.At("edited"), new byte[5000]);
        File.WriteAllBytes(backup.At("edited-with-its-time"), new byte[5000]);
        File.SetLastWriteTimeUtc(backup.At("edited-with-its-time"), time);
        File.Delete(backup.At("gone"));
        File.WriteAllBytes(backup.At("longer"), new byte[5001]);
        byte[] content = File.ReadAllBytes(backup.At("renewed"));
        File.Delete(backup.At("renewed"));
        File.WriteAllBytes(backup.At("renewed"), content);
        File.SetLastWriteTimeUtc(backup.At("touched"), TimeProvider.System.GetUtcNow().UtcDateTime);

        RestoreReport report = await opened.ExecuteAsync(plan);
        Assert.Equal(ExitCodes.Incomplete, ExitCodes.Of(report));
        string[] refused = ["/s/edited", "/s/edited-with-its-time", "/s/gone", "/s/longer"];
        Assert.Equal(
            refused,
            report.Issues.Where(issue => issue.Kind == IssueKind.Refused).Select(issue => issue.Path).Order()
        );
        Assert.Equal(3, report.FilesUnchanged);
        Assert.True(File.ReadAllBytes(backup.At("edited")).AsSpan().SequenceEqual(new byte[5000]));
        Assert.NotEqual(time, File.GetLastWriteTimeUtc(backup.At("edited")));
        Assert.Equal(5001, new FileInfo(backup.At("longer")).Length);

        RestoreReport again = await backup.RestoreAsync(options with { Overwrite = true });
        Assert.Equal((ExitCodes.Complete, 3L), (ExitCodes.Of(again), again.FilesUnchanged));
    }
}
