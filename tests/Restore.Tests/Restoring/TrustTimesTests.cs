using Restore.Tests.Streams;
using Restore.Tests.Support;

namespace Restore.Tests.Restoring;

/// <summary>
/// A file has the time of the backup only if its content was verified, so that a time can be
/// trusted.
/// </summary>
public sealed class TrustTimesTests : IDisposable
{
    private readonly TempFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_file_that_was_damaged_is_not_taken_for_right_by_its_time(bool isLegacy)
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 4, bytesEach: 600_000);
        string lost = made
            .Store.Names.Where(name => name.Contains(".dblock.", StringComparison.Ordinal))
            .MaxBy(name => made.Store[name].Length)!;
        byte[] volume = made.Store[lost];
        made.Store.Remove(lost);
        RestoreSetup options = new RestoreOptions
        {
            Target = folder.Root,
            Overwrite = true,
            TrustTimes = true,
        }.Legacy(isLegacy);
        RestoreReport damaged = await RestoreAsync(made, options);
        RestoreIssue[] issues = [.. damaged.Issues.Where(issue => issue.Kind == IssueKind.Damaged)];
        Assert.NotEmpty(issues);
        Assert.All(issues, issue => Assert.NotEqual(TimeOf(issue.Path), TimeOf(issue.TargetPath!)));

        made.Store[lost] = volume;
        RestoreReport whole = await RestoreAsync(made, options);
        Assert.True(whole.IsComplete, string.Join('\n', whole.Issues));
        for (int i = 0; i < 4; i++)
        {
            string file = Path.Combine(folder.Root, $"{i:D5}");
            Assert.Equal(made.ContentOf(i), await File.ReadAllBytesAsync(file));
            Assert.Equal(TimeOf(made.PathOf(i)), TimeOf(file));
        }
    }

    private static long TimeOf(string file) => File.GetLastWriteTimeUtc(file).Ticks / TimeSpan.TicksPerSecond;

    private static async Task<RestoreReport> RestoreAsync(MadeBackup made, RestoreSetup options)
    {
        await using Backup backup = await Backup.OpenAsync(made.Store);
        return await backup.RestoreAsync(backup.Versions[0], options);
    }
}
