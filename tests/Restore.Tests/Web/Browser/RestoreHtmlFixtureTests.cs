using System.Globalization;
using System.IO.Compression;
using System.Security.Cryptography;
using System.Text.Json.Nodes;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support.Machine;
using Restore.Tests.Writing;

namespace Restore.Tests.Web.Browser;

/// <summary>
/// Every fixture through the engine in the tab: it restores and reports what the library does on
/// this machine.
/// </summary>
[NeedsPrograms(".ci/install-packages", "chromium", "npm")]
public sealed class RestoreHtmlFixtureTests(RestoreHtml page) : IClassFixture<RestoreHtml>
{
    // A key of AES Crypt version 3 takes seconds in a tab.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    // GnuPG is a program, and a browser starts none.
    public static TheoryData<string> Names =>
        [
            .. FixtureCatalog.Names.Where(name =>
                name != FixtureCatalog.Gpg && FixtureCatalog.BackupsOf(name).Any(HasVersions)
            ),
        ];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task A_tab_restores_and_reports_what_the_library_does(string name)
    {
        foreach (FixtureBackup fixture in FixtureCatalog.BackupsOf(name).Where(HasVersions))
        {
            await CompareAsync(fixture.Location, fixture.Options(), fixture.Prefix);
        }
    }

    [Fact]
    public async Task Files_of_several_blocks_come_from_a_volume_of_many_megabytes_as_the_library_restores_them()
    {
        using RoundTrip trip = new();
        Random random = new(1);
        for (int number = 0; number < 24; number++)
        {
            byte[] content = new byte[random.Next(100_000, 3_000_000)];
            random.NextBytes(content);
            await File.WriteAllBytesAsync(
                Path.Join(trip.Source, $"{random.Next()}"),
                content,
                TestContext.Current.CancellationToken
            );
        }

        await trip.WriteAsync(
            trip.Options with
            {
                Passphrase = "p",
                BlockSizeBytes = 1 << 20,
                VolumeSizeBytes = 50 << 20,
            }
        );
        await CompareAsync(trip.Destination, new BackupOptions { Passphrase = "p" }, prefix: "");
    }

    private async Task CompareAsync(string backup, BackupOptions options, string prefix)
    {
        page.ForgetDownloads();
        JsonObject there = await RestoreInTabAsync(await page.EngineAsync(), backup, options.Passphrase ?? "", prefix);
        (ExportReport? report, byte[] archive, string? failure) = await RestoreHereAsync(
            backup,
            options,
            there["picked"]?.AsArray().Select(path => (string)path!)
        );
        Assert.Equal(failure, (string?)there["failure"]);
        if (report is not null)
        {
            Assert.Equal(report.Files, (long)there["report"]!["files"]!);
            Assert.Equal(report.Issues.LongCount(issue => issue.IsLoss), (long)there["report"]!["issues"]!["lost"]!);
            Assert.Equal(
                EntriesOf(archive),
                EntriesOf(
                    await File.ReadAllBytesAsync(await page.DownloadAsync(), TestContext.Current.CancellationToken)
                )
            );
        }
    }

    private static bool HasVersions(FixtureBackup fixture) => Directory.Exists(fixture.Location);

    /// <summary>
    /// Asks the engine as the page does: opens the backup, picks everything of the newest version,
    /// and restores it to a zip.
    /// </summary>
    private static async Task<JsonObject> RestoreInTabAsync(Tab tab, string backup, string secret, string prefix)
    {
        await RestoreHtml.GiveAsync(tab, backup, "#given");
        await tab.EvalAsync(
            $$"""
            globalThis.result = null;
            (async () => {
              const get = (path, ...values) => ask({ method: 'GET', path, values, body: '' });
              const post = (path, value) => ask({ method: 'POST', path, values: [], body: JSON.stringify(value) });
              const files = [...document.querySelector('#given').files].filter(file => file.webkitRelativePath.split('/').length <= 2);
              try {
                const passphrase = {{Tab.Quote(secret)}};
                await ask({ open: { name: 'backup', files, prefix: {{Tab.Quote(prefix)}} }, passphrase });
                const { entries } = await get('api/folder', 'version', '0', 'count', '1000');
                const picks = entries.map(({ id }) => ({ version: 0, id }));
                const picked = [];
                for (const { id } of entries) {
                  picked.push((await get('api/details', 'version', '0', 'id', `${id}`)).path);
                }

                let job = await post('api/restore/plan', { picks, folder: '', overwrite: false, permissions: false, fullPaths: false, createLinks: false });
                await post('api/restore/start', { id: job.id });
                do {
                  await new Promise(resume => setTimeout(resume, 20));
                  job = await get('api/restore');
                } while (job.state === 'Running');
                return { failure: job.error ?? null, report: job.report ?? null, picked };
              } catch (failure) {
                return { failure: failure.message };
              }
            })().then(value => { globalThis.result = value; });
            0
            """
        );
        await tab.UntilAsync("result", Patience);
        return (await tab.EvalAsync("result"))!.AsObject();
    }

    private static async Task<(ExportReport? Report, byte[] Archive, string? Failure)> RestoreHereAsync(
        string location,
        BackupOptions options,
        IEnumerable<string>? picked
    )
    {
        using MemoryStream archive = new();
        EntryFilter filter = picked is null ? EntryFilter.All : EntryFilter.OfEntries(picked);
        try
        {
            await using Backup backup = await Backup.OpenAsync(location, options);
            ExportReport report = await backup.ExportArchiveAsync(
                backup.Versions[0],
                archive,
                ArchiveFormat.Zip,
                new ExportOptions
                {
                    Filter = filter,
                    ArchiveRoot = picked?.Select(EntryPath.FolderOf).Aggregate(Common),
                }
            );
            return (report, archive.ToArray(), null);
        }
        catch (RestoreException failure)
        {
            return (null, [], failure.Message);
        }
    }

    private static string Common(string folder, string other) =>
        folder[..EntryPath.FolderLength(folder, folder.AsSpan().CommonPrefixLength(other))];

    /// <summary>Name, time, attributes and hash of each entry.</summary>
    private static string[] EntriesOf(byte[] bytes)
    {
        using ZipArchive archive = new(new MemoryStream(bytes));
        return
        [
            .. archive
                .Entries.Select(entry =>
                {
                    using Stream content = entry.Open();
                    return string.Create(
                        CultureInfo.InvariantCulture,
                        $"{entry.FullName} {entry.LastWriteTime:s} {entry.ExternalAttributes:x} {Convert.ToHexStringLower(SHA256.HashData(content))}"
                    );
                })
                .Order(StringComparer.Ordinal),
        ];
    }
}
