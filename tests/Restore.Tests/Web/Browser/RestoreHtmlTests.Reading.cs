using System.Text.Json.Nodes;
using Restore.Tests.Writing;

namespace Restore.Tests.Web.Browser;

/// <content>What a person asks for while lists are being read: a tab has one thread for both.</content>
public sealed partial class RestoreHtmlTests
{
    [Fact]
    public async Task A_call_is_answered_while_a_list_is_being_read()
    {
        const int Files = 30_000;
        using RoundTrip trip = new();
        for (int folder = 0; folder < Files / 1000; folder++)
        {
            string path = Directory.CreateDirectory(Path.Join(trip.Source, $"{folder:00}")).FullName;
            for (int file = 0; file < 1000; file++)
            {
                await File.WriteAllBytesAsync(
                    Path.Join(path, $"{file}.txt"),
                    [],
                    TestContext.Current.CancellationToken
                );
            }
        }

        for (int day = 1; day <= 2; day++)
        {
            await File.WriteAllTextAsync(
                Path.Join(trip.Source, "day.txt"),
                new string('d', day),
                TestContext.Current.CancellationToken
            );
            await new BackupWriter(
                new BackupWriterOptions
                {
                    Sources = [trip.Source],
                    Destination = trip.Destination,
                    Time = new DateTimeOffset(2026, 1, day, 12, 0, 0, TimeSpan.Zero),
                }
            ).WriteAsync(TestContext.Current.CancellationToken);
        }

        // An entry begins the list of the older version. Then a folder of the newer one is asked for
        // again and again: each answer comes with how much of the list was read.
        Tab tab = await page.EngineAsync();
        await RestoreHtml.GiveAsync(tab, trip.Destination, "#given");
        await tab.EvalAsync(
            $$"""
            globalThis.result = null;
            (async () => {
              const get = (path, ...values) => ask({ method: 'GET', path, values, body: '' });
              const files = [...document.querySelector('#given').files].filter(file => file.webkitRelativePath.split('/').length <= 2);
              await ask({ open: { name: 'backup', files, prefix: '' }, passphrase: '' });
              const { id } = await get('api/find', 'version', '0', 'path', {{Tab.Quote(Path.Join(trip.Source, "07"))}});
              await get('api/entry', 'id', `${id}`);
              const seen = [];
              let older;
              do {
                const { total } = await get('api/folder', 'version', '0', 'id', `${id}`, 'count', '1');
                older = (await get('api/backup')).versions[1];
                seen.push(total === 1000 ? older.entries : -1);
              } while (older.state !== 'Read' && older.state !== 'Failed');
              return { seen, state: older.state };
            })().then(value => { globalThis.result = value; }, failure => { globalThis.result = { state: failure.message }; });
            0
            """
        );
        await tab.UntilAsync("result", TimeSpan.FromMinutes(2));
        JsonObject result = (await tab.EvalAsync("result"))!.AsObject();
        Assert.Equal("Read", (string?)result["state"]);
        int[] seen = [.. result["seen"]!.AsArray().Select(entries => (int)entries!)];
        Assert.DoesNotContain(-1, seen);
        Assert.InRange(seen.Where(entries => entries is > 0 and < Files).Distinct().Count(), 3, Files);
    }
}
