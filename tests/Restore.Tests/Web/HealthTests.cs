using System.Net;
using System.Text.Json;
using Restore.Web;

namespace Restore.Tests.Web;

/// <summary>What the page says about the volumes of a damaged backup.</summary>
public sealed class HealthTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_missing_and_a_cut_volume_are_reported_with_the_files_that_need_them()
    {
        using TreeBackup tree = await TreeBackup.WriteAsync(files: 20, largeFiles: 3);
        string[] volumes = [.. Directory.GetFiles(tree.Location, "*.dblock.zip").Order(StringComparer.Ordinal)];
        string missing = Path.GetFileName(volumes[1]);
        string cut = Path.GetFileName(volumes[2]);
        await using (Backup whole = await Backup.OpenAsync(tree.Location, cancellationToken: Cancellation))
        {
            CheckReport report = await whole.Maintenance.CheckAsync(null, Cancellation);
            Assert.Equal(volumes.Select(Path.GetFileName), report.Volumes.Select(volume => volume.Name));
            Assert.All(report.Volumes, volume => Assert.Equal(VolumeState.Present, volume.State));
        }

        File.Delete(volumes[1]);
        await File.AppendAllTextAsync(volumes[2], "longer", Cancellation);
        await using Backup backup = await Backup.OpenAsync(tree.Location, cancellationToken: Cancellation);
        await using BrowseServer server = await BrowseServer.StartAsync(backup, cancellationToken: Cancellation);
        using HttpClient client = new(new SocketsHttpHandler { UseProxy = false });
        Assert.Equal("NotStarted", (await GetAsync(client, server, "api/health")).GetProperty("state").GetString());
        JsonElement check = await CheckAsync(client, server);
        Dictionary<string, string> states = check
            .GetProperty("volumes")
            .EnumerateArray()
            .ToDictionary(
                volume => volume.GetProperty("name").GetString()!,
                volume => volume.GetProperty("state").GetString()!
            );
        Assert.Equal(("Missing", "WrongSize"), (states[missing], states[cut]));
        Assert.Equal(volumes.Length - 2, states.Values.Count(state => state == "Present"));

        HashSet<string> lost = [];
        RestorePlan plan = await backup.PlanDrillAsync(backup.Versions, new RestoreOptions(), null, null, Cancellation);
        lost.UnionWith(
            plan.Issues.Where(issue => issue.Kind is IssueKind.Missing or IssueKind.Damaged or IssueKind.Metadata)
                .Select(issue => issue.Path)
        );
        JsonElement losses = check.GetProperty("losses");
        string[] files =
        [
            .. plan
                .Issues.Where(issue => issue.Kind is IssueKind.Missing or IssueKind.Damaged)
                .Select(issue => issue.Path)
                .Where(path => !path.EndsWith('/'))
                .Distinct(),
        ];
        Assert.Equal(files.Length, losses.GetProperty("files").GetInt32());
        Assert.Equal(
            files.Length,
            losses.GetProperty("folders").EnumerateArray().Sum(folder => folder.GetProperty("files").GetInt32())
        );
        Assert.Equal(
            files.Select(file => file[..(file.LastIndexOf('/') + 1)]).Distinct().Order(StringComparer.Ordinal),
            losses
                .GetProperty("folders")
                .EnumerateArray()
                .Select(folder => folder.GetProperty("path").GetString()!)
                .Order(StringComparer.Ordinal)
        );
        string[] onCut =
        [
            .. plan.EntriesOn(cut)
                .Where(entry => !entry.HasOtherCopies)
                .Select(entry => entry.Path)
                .Where(path => !path.EndsWith('/')),
        ];
        Assert.NotEmpty(onCut);
        Assert.Equal(onCut.Distinct().Except(files).Count(), losses.GetProperty("atRisk").GetInt32());
        Assert.False(losses.GetProperty("isVerified").GetBoolean());
        JsonElement entries = await GetAsync(client, server, $"api/volume?name={missing}");
        Assert.NotEmpty(lost);
        Assert.Equal(
            lost.Order(StringComparer.Ordinal),
            entries
                .GetProperty("entries")
                .EnumerateArray()
                .Select(entry => entry.GetProperty("path").GetString()!)
                .Order(StringComparer.Ordinal)
        );
        Assert.Equal(entries.GetProperty("total").GetInt32(), entries.GetProperty("alone").GetInt32());
        Assert.True((await GetAsync(client, server, $"api/volume?name={cut}")).GetProperty("total").GetInt32() > 0);
        Assert.Equal(
            0,
            (await GetAsync(client, server, "api/volume?name=no-such-volume")).GetProperty("total").GetInt32()
        );
    }

    private static async Task<JsonElement> CheckAsync(HttpClient client, BrowseServer server)
    {
        using HttpRequestMessage start = new(HttpMethod.Post, new Uri(server.Address, "api/health/start"));
        start.Headers.Add("Origin", server.Address.GetLeftPart(UriPartial.Authority));
        using HttpResponseMessage started = await client.SendAsync(start, Cancellation);
        Assert.Equal(HttpStatusCode.OK, started.StatusCode);
        for (int i = 0; i < 500; i++)
        {
            JsonElement health = await GetAsync(client, server, "api/health");
            if (health.GetProperty("state").GetString() != "Running")
            {
                return health.GetProperty("check");
            }

            await Task.Delay(20, Cancellation);
        }

        throw new TimeoutException("The check does not end");
    }

    private static async Task<JsonElement> GetAsync(HttpClient client, BrowseServer server, string path) =>
        JsonDocument
            .Parse(await client.GetStringAsync(new Uri(server.Address, path), Cancellation))
            .RootElement.Clone();
}
