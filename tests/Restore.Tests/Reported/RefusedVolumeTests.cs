using Restore.Tests.FixtureTests;
using Restore.Tests.Support;

namespace Restore.Tests.Reported;

/// <summary>
/// A volume that may not be read has another cause than a damaged one, and another remedy.
/// </summary>
public sealed class RefusedVolumeTests
{
    private static readonly FixtureBackup Fixture = FixtureCatalog.BackupsOf("aes-100kb").Single();

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, true)]
    [InlineData(true, false)]
    public async Task A_volume_that_may_not_be_read_is_refused_and_not_damaged(bool isLocal, bool isOfStore)
    {
        ScriptedStore store = ScriptedStore.OfFolder(Fixture.Location, isLocal);
        store.BeforeRead = Refusing("dblock", isOfStore);
        using TempFolder folder = new();
        await using Backup backup = await Backup.OpenAsync(store, Fixture.Options());
        RestoreReport report = await backup.ExecuteAsync(
            await backup.PlanAsync(backup.Versions[0], FixtureRestore.Whole(folder.Root))
        );

        Assert.NotEmpty(report.LostVolumes);
        Assert.All(report.LostVolumes, volume => Assert.Equal((true, true), (volume.IsInStore, volume.IsRefused)));
        RestoreIssue[] ofVolumes =
        [
            .. report.Issues.Where(issue =>
                issue.Kind == IssueKind.Warning && issue.Path == report.LostVolumes[0].Name
            ),
        ];
        Assert.Contains(
            ofVolumes,
            issue => issue.Code == (isOfStore ? IssueCode.VolumeRefused : IssueCode.AccessDenied)
        );
    }

    [Fact]
    public async Task A_file_list_that_may_not_be_read_is_an_error_of_its_own()
    {
        ScriptedStore store = ScriptedStore.OfFolder(Fixture.Location, isLocal: true);
        store.BeforeRead = Refusing("dlist", isOfStore: true);
        using TempFolder folder = new();
        await using Backup backup = await Backup.OpenAsync(store, Fixture.Options());
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            backup.PlanAsync(backup.Versions[0], FixtureRestore.Whole(folder.Root))
        );

        Assert.Equal(RestoreErrorCode.FileListRefused, failure.Code);
        Assert.Contains("cannot be read: Access to duplicati-", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_check_calls_volumes_and_lists_that_may_not_be_read_refused()
    {
        ScriptedStore store = ScriptedStore.OfFolder(Fixture.Location, isLocal: true);
        await using Backup backup = await Backup.OpenAsync(store, Fixture.Options());
        store.BeforeRead = Refusing("dblock", isOfStore: true);
        Assert.All(
            (await backup.Maintenance.CheckVolumesAsync()).Issues,
            issue => Assert.Equal((IssueKind.Refused, IssueCode.VolumeRefused), (issue.Kind, issue.Code))
        );

        string newest = backup.Versions[0].FileListName;
        store.BeforeRead = Refusing(newest, isOfStore: true);
        RestoreIssue list = Assert.Single(
            (await backup.Maintenance.CheckAsync()).Issues,
            issue => issue.Path == newest
        );
        Assert.Equal((IssueKind.Refused, IssueCode.VolumeRefused), (list.Kind, list.Code));
    }

    [Theory]
    [InlineData(false, IssueCode.VolumeRefused)]
    [InlineData(true, IssueCode.VolumeFrozen)]
    public async Task What_no_readable_volume_describes_may_be_in_the_volumes_that_cannot_be_read(
        bool isArchived,
        IssueCode code
    )
    {
        ScriptedStore store = ScriptedStore.OfFolder(Fixture.Location, isLocal: true);
        store.BeforeRead = (name, _) =>
            name.Contains("dblock", StringComparison.Ordinal) || name.Contains("dindex", StringComparison.Ordinal)
                ? throw new AccessRefusedException($"{name} cannot be read") { IsArchived = isArchived }
                : ValueTask.CompletedTask;
        string[] unread = [.. store.Names.Where(name => !name.Contains("dlist", StringComparison.Ordinal))];
        using TempFolder folder = new();
        await using Backup backup = await Backup.OpenAsync(store, Fixture.Options());

        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], FixtureRestore.Whole(folder.Root));
        using MemoryStream saved = new();
        plan.Save(saved);
        saved.Position = 0;
        Assert.Equal(unread.Order(StringComparer.Ordinal), plan.UnreadVolumes.Order(StringComparer.Ordinal));
        Assert.Contains("dindex", plan.UnreadVolumes[0], StringComparison.Ordinal);
        Assert.Equal(plan.UnreadVolumes, RestorePlan.Load(saved).UnreadVolumes);

        RestoreReport report = await backup.ExecuteAsync(plan);
        Assert.NotEmpty(report.LostVolumes);
        Assert.All(report.LostVolumes, volume => Assert.Equal(code, volume.Code));

        CheckReport check = await backup.Maintenance.CheckAsync();
        Assert.DoesNotContain(check.Issues, issue => issue.Code == IssueCode.BlocksLost);
        Assert.Contains(check.Issues, issue => issue.Code == IssueCode.LossesUncertain && issue.Volumes.Count > 0);
        RestoreException refused = await Assert.ThrowsAsync<RestoreException>(() =>
            backup.Maintenance.PlanPurgeAsync()
        );
        Assert.Equal(RestoreErrorCode.LossesUnknown, refused.Code);
    }

    private static Func<string, CancellationToken, ValueTask> Refusing(string part, bool isOfStore) =>
        (name, _) =>
            !name.Contains(part, StringComparison.Ordinal) ? ValueTask.CompletedTask
            : isOfStore ? throw new AccessRefusedException($"Access to {name} is denied")
            : throw new UnauthorizedAccessException($"Access to {name} is denied");
}
