using System.Text;
using Restore.Web;

namespace Restore.Tests.Web.Browser;

/// <summary>A backup of fourteen versions in three weeks; the newest has 254 changes.</summary>
internal sealed class BackupOfManyVersions : IAsyncDisposable
{
    private const int Versions = 14;
    private const int ManyFiles = 254;

    private readonly TempFolder folder = new();
    private readonly DateTimeOffset newest = TimeProvider.System.GetUtcNow().AddHours(-1);
    private Backup? backup;

    public static async Task<BackupOfManyVersions> MakeAsync()
    {
        BackupOfManyVersions made = new();
        string source = Directory.CreateDirectory(made.folder.In("ann")).FullName;
        await File.WriteAllTextAsync(Path.Join(source, "always.txt"), "The same in all versions");
        for (int version = Versions - 1; version >= 0; version--)
        {
            int files = version == 0 ? ManyFiles : 1;
            for (int i = 0; i < files; i++)
            {
                await File.WriteAllTextAsync(
                    Path.Join(source, $"Notes of the day {i:000} in a folder.txt"),
                    $"{new string('n', 1 + Versions - version)} {i}",
                    Encoding.UTF8
                );
            }

            await new BackupWriter(
                new BackupWriterOptions
                {
                    Sources = [source],
                    Destination = made.folder.In("backup"),
                    Time = made.TimeOf(version),
                }
            ).WriteAsync();
        }

        return made;
    }

    /// <summary>The local day of a version, as the field of the page takes it.</summary>
    public string DayOf(int version) =>
        TimeOf(version).ToLocalTime().ToString("yyyy-MM-dd", System.Globalization.CultureInfo.InvariantCulture);

    public async Task<BrowseServer> ServeAsync()
    {
        backup = await Backup.OpenAsync(folder.In("backup"), cancellationToken: TestContext.Current.CancellationToken);
        return await BrowseServer.StartAsync(
            backup,
            new BrowseOptions { RestoreFolder = folder.In("target") },
            TestContext.Current.CancellationToken
        );
    }

    public async ValueTask DisposeAsync()
    {
        if (backup is not null)
        {
            await backup.DisposeAsync();
        }

        folder.Dispose();
    }

    private DateTimeOffset TimeOf(int version) => newest.AddHours(-36 * version);
}
