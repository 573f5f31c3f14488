using System.IO.Compression;
using System.Security.Cryptography;
using System.Text.Json;
using System.Text.RegularExpressions;
using Restore.Tests.FixtureTests;
using Restore.Tests.Streams;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Web.Browser;

/// <summary>
/// restore.html as a person uses it. Each tab also checks, when it is closed, that it asked for
/// nothing but itself.
/// </summary>
[NeedsPrograms(".ci/install-packages", "chromium", "npm")]
public sealed partial class RestoreHtmlTests(RestoreHtml page) : IClassFixture<RestoreHtml>
{
    private const int MostBytes = 8 << 20;
    private const string Names = "[...document.querySelectorAll('.row .name')].map(name => name.innerText)";

    /// <summary>
    /// Gives the hash of each file in the folder that answers for the chosen one.
    /// </summary>
    private const string FilesInTarget = """
        globalThis.filesInTarget = async () => {
          const found = {};
          const look = async (folder, path) => {
            for await (const [name, handle] of folder) {
              if (handle.kind === 'directory') {
                await look(handle, `${path}${name}/`);
              } else {
                const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await (await handle.getFile()).arrayBuffer()));
                found[path + name] = [...hash].map(byte => byte.toString(16).padStart(2, '0')).join('');
              }
            }
          };
          await look(await (await navigator.storage.getDirectory()).getDirectoryHandle('restore-target'), '');
          return found;
        };
        0
        """;

    private readonly List<byte[]> frames = [];

    [Fact]
    public async Task It_opens_an_encrypted_backup_shows_its_versions_and_restores_what_is_picked_to_a_zip()
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf("aes-100kb").Single();
        page.ForgetDownloads();
        await using Tab tab = await page.OpenAsync();
        await FrameAsync(tab);
        await RestoreHtml.GiveAsync(tab, fixture.Location);
        await tab.UntilAsync("!document.querySelector('#ask').hidden");
        await FrameAsync(tab);
        await RestoreHtml.UnlockAsync(tab, fixture.Options().Passphrase!);
        await tab.UntilAsync("!document.querySelector('#open') && document.querySelectorAll('.row .name').length > 0");
        await ShotAsync(tab, "files");
        await FrameAsync(tab);
        await tab.UntilAsync("document.querySelectorAll('.version').length === 3");
        await tab.UntilAsync($"{Names}.some(name => name.startsWith('docs'))");
        await tab.ClickAsync(".row:has(.name) .box");
        await FrameAsync(tab);
        await tab.ClickAsync("#plan");
        await tab.UntilAsync("document.querySelector('#start')");
        await FrameAsync(tab);
        await tab.ClickAsync("#start");
        await tab.UntilAsync(
            "document.querySelector('#restore h2').innerText.includes('Everything is restored and verified')"
        );
        await ShotAsync(tab, "report");
        await FrameAsync(tab);
        if (PageBackup.ScreenshotFolder is string pictures)
        {
            await File.WriteAllBytesAsync(
                Path.Join(pictures, "restore-html.png"),
                MovingPicture.Of(frames, milliseconds: 1500)
            );
        }

        using ZipArchive archive = ZipFile.OpenRead(await page.DownloadAsync());
        ZipArchiveEntry big = archive.Entries.Single(entry => entry.Name == "big.bin");
        await using Stream content = await big.OpenAsync(TestContext.Current.CancellationToken);
        Assert.Equal(
            "d3ee31317149688f85db916b7f0c6250220a6bf44eb643be7d4ac424014f441f",
            Convert.ToHexStringLower(await SHA256.HashDataAsync(content, TestContext.Current.CancellationToken))
        );

        page.ForgetDownloads();
        await tab.ClickAsync("#save");
        using JsonDocument report = JsonDocument.Parse(
            await File.ReadAllTextAsync(await page.DownloadAsync(), TestContext.Current.CancellationToken)
        );
        JsonElement part = report.RootElement;
        long entries = part.GetProperty("files").GetInt64() + part.GetProperty("links").GetInt64();
        Assert.Equal(archive.Entries.LongCount(entry => !entry.FullName.EndsWith('/')), entries);
        Assert.Matches(@"^[\w-]+ \d{4}-\d\d-\d\d \d\d-\d\d\.zip$", part.GetProperty("target").GetString());
    }

    [Fact]
    public async Task What_is_picked_is_restored_into_a_folder_and_what_is_there_stays()
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf("aes-100kb").Single();
        MemoryFolder expected = new();
        await using (Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options()))
        {
            await backup.ExportFolderAsync(
                backup.Versions[0],
                expected,
                new FolderExportOptions { WindowsNames = true }
            );
        }

        await using Tab tab = await page.OpenServedAsync();
        await RestoreHtml.GiveAsync(tab, fixture.Location);
        await RestoreHtml.UnlockAsync(tab, fixture.Options().Passphrase!);
        await tab.UntilAsync("!document.querySelector('#open') && document.querySelectorAll('.row .name').length > 0");
        await tab.EvalAsync(FilesInTarget);
        await tab.EvalAsync("document.querySelectorAll('.row .box').forEach(box => box.click())");
        await tab.ClickAsync("#target");
        await tab.UntilAsync("document.querySelector('.target').innerText.includes('restore-target')");
        await RestoreAsync(tab);
        Assert.Equal(
            expected.Files.ToDictionary(
                file => file.Key,
                file => Convert.ToHexStringLower(SHA256.HashData(file.Value))
            ),
            JsonSerializer.Deserialize<Dictionary<string, string>>(
                (string)(await tab.EvalAsync("filesInTarget().then(files => JSON.stringify(files))"))!
            )
        );

        string file = expected.Files.Keys.First(path => !path.Contains('/', StringComparison.Ordinal));
        await tab.EvalAsync(
            $$"""
            navigator.storage.getDirectory().then(root => root.getDirectoryHandle('restore-target')).then(folder => folder.getFileHandle({{Tab.Quote(
                file
            )}}))
              .then(file => file.createWritable()).then(async stream => { await stream.write('mine'); await stream.close(); })
            """
        );
        await tab.ClickAsync("#close");
        await PlanAsync(tab, replaced: 0, kept: expected.Files.Count - 1);
        Assert.Contains(
            "Something else has its name at the target",
            await tab.TextAsync("document.querySelector('#restore')"),
            StringComparison.Ordinal
        );
        await tab.ClickAsync("#close");
        await tab.EvalAsync("document.querySelector('.option input').click()");
        await PlanAsync(tab, replaced: 1, kept: expected.Files.Count - 1);
        await tab.ClickAsync("#close");
        await tab.EvalAsync("document.querySelector('.option input').click()");
        await RestoreAsync(tab);
        string report = await tab.TextAsync("document.querySelector('#restore')");
        Assert.Contains($"{expected.Files.Count - 1} of them were right already", report, StringComparison.Ordinal);
        Assert.Contains("Something else has its name at the target", report, StringComparison.Ordinal);
        Assert.Contains("Times, permissions and links cannot be set from a browser", report, StringComparison.Ordinal);
        Assert.Equal(
            expected.Files.Count + 1,
            (int)(await tab.EvalAsync("filesInTarget().then(files => Object.keys(files).length)"))!
        );
    }

    [Fact]
    public async Task Back_does_not_leave_the_page_and_another_backup_can_be_opened()
    {
        await using Tab tab = await page.OpenAsync(Fixtures.Backup("plain-1mb"), null);
        await tab.UntilAsync("document.activeElement.classList.contains('scroll')");
        await tab.SearchAsync("mode-0640");
        await tab.UntilAsync($"{Names}.length === 1 && {Names}[0].startsWith('mode-0640')");
        Assert.DoesNotContain("mode", (string?)await tab.EvalAsync("location.href"), StringComparison.Ordinal);

        await tab.EvalAsync("history.back()");
        await tab.UntilAsync($"location.hash === '#/' && {Names}.length > 1");
        await tab.EvalAsync("history.back()");
        await tab.UntilAsync($"location.hash === '' && {Names}.length > 1");

        await tab.ClickAsync("#another");
        await tab.UntilAsync("document.querySelector('#pick')?.disabled === false && location.hash === ''");
        await RestoreHtml.GiveAsync(tab, Fixtures.Backup("prefixes"));
        await tab.UntilAsync("!document.querySelector('#backups').hidden");
    }

    [Fact]
    public async Task Losses_are_all_named_on_request()
    {
        using TempFolder folder = new();
        string backup = Directory.CreateDirectory(folder.In("backup")).FullName;
        foreach (
            string file in Directory
                .GetFiles(Fixtures.Backup("plain-1mb"))
                .Where(file => !file.Contains(".dblock.", StringComparison.Ordinal))
        )
        {
            File.Copy(file, Path.Join(backup, Path.GetFileName(file)));
        }

        await using Tab tab = await page.OpenAsync(backup, null);
        await tab.ClickAsync("#pick-all");
        await tab.ClickAsync("#plan");
        await tab.UntilAsync("document.querySelector('#start') && document.querySelector('.group .rest')");
        await tab.EvalAsync(
            "globalThis.group = document.querySelector('.group:has(.rest)'); group.open = true; group.querySelector('.rest').click(); 0"
        );
        await tab.UntilAsync("!group.querySelector('.rest')");
        string entries = $"{await tab.EvalAsync("group.querySelectorAll('li').length")} ";
        Assert.StartsWith(entries, await tab.TextAsync("group.querySelector('.tag')"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_report_that_is_saved_has_the_form_of_those_of_the_program()
    {
        const string Fixture = "damaged/dblock-missing-plain";
        using TempFolder folder = new();
        string file = Path.Join(folder.Path, "report.json");
        await Cli.CliRun.OfAsync(Fixtures.Backup(Fixture), "--target", folder.Root, "--report", file);
        using JsonDocument program = JsonDocument.Parse(
            await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken)
        );

        page.ForgetDownloads();
        await using Tab tab = await page.OpenAsync(Fixtures.Backup(Fixture), null);
        await tab.ClickAsync("#pick-all");
        await tab.ClickAsync("#plan");
        await tab.ClickAsync("#start");
        await tab.UntilAsync("document.querySelector('#save')");
        await page.DownloadAsync();
        await tab.ClickAsync("#save");
        using JsonDocument saved = JsonDocument.Parse(
            await File.ReadAllTextAsync(await page.DownloadAsync(), TestContext.Current.CancellationToken)
        );

        string[] unknown = ["exitCode", "volumesFetched", "volumesReadInPart", "lostVolumes", "profile", "choices"];
        Assert.Equal(NamesOf(program.RootElement).Except(unknown), NamesOf(saved.RootElement));
        foreach (string same in (string[])["complete", "version", "verifyOnly", "files"])
        {
            Assert.True(
                JsonElement.DeepEquals(program.RootElement.GetProperty(same), saved.RootElement.GetProperty(same)),
                same
            );
        }

        JsonElement issue = program.RootElement.GetProperty("issues")[0];
        JsonElement[] issues = [.. saved.RootElement.GetProperty("issues").EnumerateArray()];
        Assert.All(issues, one => Assert.Equal(NamesOf(issue), NamesOf(one)));
        JsonElement damaged = issues.First(one => one.GetProperty("kind").GetString() == "damaged");
        Assert.Equal(
            ("partial", 2),
            (damaged.GetProperty("state").GetString(), damaged.GetProperty("lostRanges")[0].GetArrayLength())
        );

        static IEnumerable<string> NamesOf(JsonElement json) =>
            json.EnumerateObject().Select(property => property.Name);
    }

    [Fact]
    public async Task It_says_in_which_folder_it_lies_what_the_browser_will_ask_and_what_it_does_while_it_opens()
    {
        await using Tab tab = await page.OpenAsync();
        string folder = Path.GetDirectoryName(page.File)!;
        string where = await tab.TextAsync("document.querySelector('#where')");
        Assert.Contains(
            $"{Path.GetFileName(folder)} ({folder}), which is most likely the backup",
            where,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "The browser asks",
            await tab.TextAsync("document.querySelector('#will-ask')"),
            StringComparison.Ordinal
        );
        await tab.EvalAsync(
            """
            globalThis.said = new Set();
            const hear = () => said.add(document.querySelector('#opening-for')?.textContent.split(',')[0]);
            new MutationObserver(hear).observe(document.body, { childList: true, subtree: true });
            0
            """
        );
        FixtureBackup fixture = FixtureCatalog.BackupsOf("aes-100kb").Single();
        await RestoreHtml.GiveAsync(tab, fixture.Location);
        await RestoreHtml.UnlockAsync(tab, fixture.Options().Passphrase!);
        await tab.UntilAsync("!document.querySelector('#open')");
        Assert.NotEmpty((await tab.EvalAsync("[...said].filter(Boolean)"))!.AsArray());
    }

    [Fact]
    public async Task A_wrong_passphrase_is_said_and_the_right_one_opens_afterwards()
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf("aes-100kb").Single();
        await using Tab tab = await page.OpenAsync();
        await ShotAsync(tab, "open");
        await RestoreHtml.GiveAsync(tab, fixture.Location);
        await RestoreHtml.UnlockAsync(tab, "wrong");
        await tab.UntilAsync("document.querySelector('#open-error').innerText.includes('passphrase')");
        Assert.Contains(
            "It is the passphrase of the backup job",
            await tab.TextAsync("document.querySelector('#hints')"),
            StringComparison.Ordinal
        );
        Assert.Equal("password", (string?)await tab.EvalAsync("document.querySelector('#passphrase').type"));
        await tab.ClickAsync("#show");
        await tab.UntilAsync("document.querySelector('#passphrase').type === 'text'");
        await RestoreHtml.UnlockAsync(tab, fixture.Options().Passphrase!);
        await tab.UntilAsync("!document.querySelector('#open') && document.querySelectorAll('.row .name').length > 0");
    }

    [Fact]
    public async Task A_backup_that_only_GnuPG_opens_is_said_to_be_one()
    {
        await using Tab tab = await page.OpenAsync();
        await RestoreHtml.GiveAsync(tab, Fixtures.Backup(FixtureCatalog.Gpg));
        await RestoreHtml.UnlockAsync(tab, "any");
        await tab.UntilAsync("document.querySelector('#open-error').innerText.includes('GnuPG')");
    }

    [Fact]
    public async Task A_folder_without_a_backup_is_said_to_be_one()
    {
        await using Tab tab = await page.OpenAsync();
        await RestoreHtml.GiveAsync(tab, Path.Join(Fixtures.RepositoryRoot(), "docs"));
        await tab.UntilAsync(
            "document.querySelector('#open-error').innerText.includes('No files of a backup are directly in docs')"
        );
    }

    [Fact]
    public async Task Of_several_backups_in_a_folder_one_is_chosen()
    {
        await using Tab tab = await page.OpenAsync();
        await RestoreHtml.GiveAsync(tab, Fixtures.Backup("prefixes"));
        await tab.UntilAsync(
            "!document.querySelector('#backups').hidden && document.querySelectorAll('#prefix option').length > 1"
        );
        await tab.EvalAsync("document.querySelector('#prefix').value = 'beta'");
        await tab.ClickAsync("#unlock");
        await tab.UntilAsync("document.querySelectorAll('.version').length === 2");
    }

    [Fact]
    public async Task A_search_finds_a_file_and_the_preview_shows_its_content()
    {
        await using Tab tab = await page.OpenAsync(Fixtures.Backup("plain-1mb"), null);
        await tab.EvalAsync("document.querySelector('#search').focus()");
        await tab.TypeAsync("mode-0640");
        await tab.UntilAsync($"{Names}.length === 1 && {Names}[0].startsWith('mode-0640')");
        await tab.UntilAsync("document.querySelector('#details').innerText.includes('To fetch')"); // Nothing moves any more.

        // The details are drawn again when the costs are known, and a click just before that is
        // lost.
        await tab.UntilAsync(
            """
            (() => {
              [...document.querySelectorAll('#details button')].find(button => button.innerText === 'Preview')?.click();
              return document.querySelector('#details pre')?.innerText.length > 0;
            })()
            """
        );
    }

    [Fact]
    public void It_is_small_names_itself_and_has_the_policy_that_forbids_every_request()
    {
        string text = File.ReadAllText(page.File);
        Assert.InRange(text.Length, 1, MostBytes);
        Assert.Matches(Foot(), text);
        Assert.Contains("content=\"default-src 'none'; script-src 'sha256-", text, StringComparison.Ordinal);
        Assert.DoesNotMatch(Sources(), text);
        Assert.Contains("Dani Biró", text, StringComparison.Ordinal);
    }

    /// <summary>Makes the plan, which says what happens to the files that are there.</summary>
    private static async Task PlanAsync(Tab tab, int replaced, int kept)
    {
        await tab.ClickAsync("#plan");
        await tab.UntilAsync("document.querySelector('#start')");
        const string Figures =
            "[...document.querySelectorAll('#restore th')].map((head, i) => `${head.innerText} ${document.querySelectorAll('#restore td')[i].innerText}`)";
        string[] figures = [.. (await tab.EvalAsync(Figures))!.AsArray().Select(figure => (string)figure!)];
        Assert.Contains($"Replaced {replaced}", figures);
        Assert.Contains($"Kept {kept}", figures);
    }

    private static async Task RestoreAsync(Tab tab)
    {
        await tab.ClickAsync("#plan");
        await tab.ClickAsync("#start");
        await tab.UntilAsync(
            "document.querySelector('#close') && document.querySelector('#restore h2').innerText.includes('restored and verified')"
        );
    }

    /// <summary>Takes the next picture of the recording.</summary>
    private async Task FrameAsync(Tab tab)
    {
        if (PageBackup.ScreenshotFolder is not null)
        {
            await tab.SetSizeAsync(1000, 640);
            await Task.Delay(500, TestContext.Current.CancellationToken);
            frames.Add(await tab.ScreenshotAsync());
        }
    }

    private static async Task ShotAsync(Tab tab, string name)
    {
        if (PageBackup.ScreenshotFolder is string folder)
        {
            await tab.SetSizeAsync(1240, 800);
            await Task.Delay(500, TestContext.Current.CancellationToken);
            await File.WriteAllBytesAsync(Path.Join(folder, $"restore-html-{name}.png"), await tab.ScreenshotAsync());
        }
    }

    [GeneratedRegex("<footer id=\"about\">restore.html [0-9][^,]*, [0-9a-f]{64}</footer>")]
    private static partial Regex Foot();

    // What a browser would load.
    [GeneratedRegex("(src|href)=\"?(https?:|//)")]
    private static partial Regex Sources();
}
