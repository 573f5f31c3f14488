using System.Text.Json.Nodes;
using Restore.Tests.Support.Machine;
using Restore.Web;

namespace Restore.Tests.Web.Browser;

/// <summary>
/// The page in a real browser. Each tab also checks, when it is closed, that it asked no other
/// server and that no script threw or was blocked.
/// </summary>
[NeedsPrograms(".ci/install-packages", "chromium")]
public sealed partial class PageInBrowserTests(PageBackup page) : IClassFixture<PageBackup>
{
    private const string Rows = "[...document.querySelectorAll('.row .name')]";
    private const string Start = "document.querySelectorAll('.row .name').length > 0";

    [Fact]
    public async Task The_tree_is_walked_by_keyboard_and_the_details_follow()
    {
        await using Tab tab = await page.Browser.OpenAsync(new Uri(page.Address, "#/0/-1"));
        await tab.UntilAsync(Start);
        await FocusListAsync(tab);
        foreach (
            string name in (string[])[.. page.Source.Split('/', StringSplitOptions.RemoveEmptyEntries), "Documents"]
        )
        {
            await tab.UntilAsync($"{Rows}.some(row => row.firstChild.textContent === '{name}')");
            await WalkToAsync(tab, name);
            await tab.PressAsync("Enter");
            await tab.UntilAsync($"document.querySelector('.path [aria-current=location]')?.innerText === '{name}'");
        }

        await tab.UntilAsync($"{Rows}.some(row => row.innerText.startsWith('Letter'))");
        await WalkToAsync(tab, "Letter to the bank.txt");
        await tab.UntilAsync("document.querySelector('#details dl')?.innerText.includes('Letter to the bank.txt')");
        await tab.UntilAsync(
            "['To fetch', 'In 5 versions'].every(text => document.querySelector('#details').innerText.includes(text))"
        );
        Assert.Matches("[0-9a-f]{64}", await tab.TextAsync("document.querySelector('#details')"));
        Assert.Matches("at the given price", await tab.TextAsync("document.querySelector('#details')"));
        await tab.PressAsync("Backspace");
        await tab.UntilAsync("document.querySelector('.path [aria-current=location]')?.innerText === 'ann'");
        Assert.Equal("grid", (string?)await tab.EvalAsync("document.activeElement.getAttribute('role')"));
    }

    [Fact]
    public async Task A_search_finds_files_in_all_versions_as_one_types_and_the_timeline_says_what_changed()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await tab.UntilAsync(Start);
        await tab.UntilAsync("document.querySelectorAll('.change').length === 4");
        await tab.EvalAsync("document.querySelector('#search').focus()");
        await tab.TypeAsync("lett");
        await tab.UntilAsync(
            $"{Rows}.length === 1 && {Rows}[0].innerText.includes('in 5 versions, 5 different states')"
        );
        await tab.EvalAsync("document.querySelector('#search').value = ''");
        await tab.TypeAsync("Lett*bank.t?t");
        await tab.UntilAsync($"{Rows}.length === 1 && {Rows}[0].innerText.includes('in 5 versions')");
        await tab.TypeAsync("er nowhere");
        await tab.UntilAsync("document.querySelector('#files > .empty').innerText.includes('No version')");
        string newest = (await tab.TextsAsync(".change"))[0];
        Assert.Contains("~2", newest, StringComparison.Ordinal);
        Assert.Contains("−1", newest, StringComparison.Ordinal);
        Assert.Contains("+2", (await tab.TextsAsync(".change"))[1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_first_click_counts_and_another_version_keeps_the_folder()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await tab.UntilAsync(Start);
        await tab.UntilAsync("document.querySelector('.path [aria-current=location]').innerText === 'ann'");
        string other = (string)(await tab.EvalAsync($"{Rows}[1].firstChild.textContent"))!;
        await tab.EvalAsync("document.activeElement.blur()");
        await tab.ClickAsync(".row:nth-child(2) .size");
        await tab.UntilAsync(
            $"document.querySelector('.row.active .name').firstChild.textContent === {Tab.Quote(other)}"
        );
        await tab.EvalAsync("document.activeElement.blur()");
        await tab.ClickAsync(".row:nth-child(3) .box");
        await tab.UntilAsync("document.querySelector('#picked').innerText === '1 entry of 1 version picked'");
        await tab.ClickAsync(".version[data-version='4']");
        await tab.UntilAsync(
            "location.hash.startsWith('#/4/') && document.querySelector('.path [aria-current=location]').innerText === 'ann'"
        );
    }

    [Theory]
    [InlineData(400, 800)]
    [InlineData(640, 400)]
    [InlineData(820, 1180)]
    public async Task Names_can_be_read_on_small_screens_and_nothing_is_wider_than_they_are(int width, int height)
    {
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await tab.UntilAsync(Start);
        await tab.SetSizeAsync(width, height);
        await tab.UntilAsync(
            $"innerWidth === {width} && {Rows}.length > 0 && {Rows}[0].getBoundingClientRect().width >= 150"
        );
        Assert.Equal(0, (int)(await tab.EvalAsync("Math.max(0, document.documentElement.scrollWidth - innerWidth)"))!);
        Assert.True((bool)(await tab.EvalAsync("document.querySelector('.scroll').clientHeight >= 90"))!);
        await GoAsync(tab, "Documents", "Letter to the bank.txt");
        Assert.Contains(
            "Letter to the bank.txt",
            await tab.TextAsync("document.querySelector('#details')"),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_text_and_a_picture_are_previewed()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await GoAsync(tab, "Documents", "Letter to the bank.txt");
        await new ClickCounter(tab).ClickAsync("#details button", "Preview");
        await tab.UntilAsync("document.querySelector('pre.preview')?.innerText.includes('Draft 5')");

        // It stays open for the next file.
        await GoAsync(tab, "Photos", "lake.png");
        await tab.UntilAsync("document.querySelector('img.preview')?.naturalWidth === 64");
        await tab.ClickAsync("#look");
        await tab.UntilAsync("!document.querySelector('.preview')");
    }

    [Fact]
    public async Task Hostile_names_are_shown_as_text_and_nothing_of_them_runs()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await GoAsync(tab, "", "hostile");
        await tab.PressAsync("Enter");
        await tab.UntilAsync($"{Rows}.length === {ServedBackup.HostileNames.Length}");
        string[] names =
        [
            .. (await tab.EvalAsync($"{Rows}.map(row => row.textContent)"))!.AsArray().Select(name => (string)name!),
        ];
        Assert.Contains("<img src=x onerror=alert(1)>.txt", names);
        Assert.Contains("\"><script>alert(1)<", names);
        Assert.Contains("txt.\\u202Egpj", names);
        Assert.Contains("new\\u000D\\u000ASet-Cookie: a=b", names);
        for (int i = 0; i < names.Length; i++)
        {
            await tab.PressAsync("ArrowDown", " ");
            await tab.UntilAsync(
                "document.querySelector('#details dl') && document.querySelector('#details').innerText.includes('To fetch')"
            );
        }

        await tab.EvalAsync("document.querySelector('#search').focus()");
        await tab.TypeAsync("alert");
        await tab.UntilAsync($"{Rows}.length === 3");
        Assert.Equal(1, (int)(await tab.EvalAsync("document.scripts.length"))!);
        Assert.Equal(1, (int)(await tab.EvalAsync("document.images.length"))!);
        await tab.ClickAsync("#plan");
        await tab.UntilAsync("document.querySelector('#start')");
        await tab.ClickAsync("#stop, #restore button", "Back");
    }

    [Fact]
    public async Task Files_of_two_versions_are_restored_and_a_page_that_is_loaded_again_or_a_second_one_shows_the_run()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await GoAsync(tab, "", "Photos");
        await tab.PressAsync(" ");
        await tab.ClickAsync(".version[data-version='4']");
        await GoAsync(tab, "Documents", "Letter to the bank.txt", version: 4);
        await tab.PressAsync(" ");
        await tab.UntilAsync("document.querySelector('#picked')?.innerText === '2 entries of 2 versions picked'");
        await tab.ClickAsync("#plan");
        await tab.UntilAsync("document.querySelectorAll('#restore tbody tr').length === 2");
        Assert.Contains("Cost", await tab.TextAsync("document.querySelector('#restore')"), StringComparison.Ordinal);
        Assert.Matches(
            "^[0-9.]+ [KM]iB in all: [0-9.]+ [KM]iB of lists and index volumes were fetched to make this plan",
            await tab.TextAsync("document.querySelector('#fetched')")
        );
        Assert.Equal("start", (string?)await tab.EvalAsync("document.activeElement.id"));
        await tab.PressAsync("Enter");
        await tab.UntilAsync("document.querySelector('#restore progress')?.value > 0");

        await tab.ReloadAsync();
        await tab.UntilAsync("document.querySelector('#restore progress')?.value > 0");
        Assert.Contains(
            await tab.AccessibilityAsync(),
            node => node is { Role: "progressbar" or "progressIndicator", Name: "Restored bytes" }
        );
        await using (Tab second = await page.Browser.OpenAsync(page.Address))
        {
            await second.UntilAsync("document.querySelector('#restore progress')?.value > 0");
            await second.ClickAsync("#pause");
            await second.UntilAsync("document.querySelector('#restore').innerText.includes('Paused')");
        }

        await tab.UntilAsync("document.querySelector('#restore').innerText.includes('Paused')");
        await tab.ClickAsync("#start");
        await tab.UntilAsync(
            "document.querySelector('#restore .good')?.innerText.includes('Everything is restored and verified')"
        );
        Assert.Equal(
            "Draft 1\n\nDear Sir or Madam,\n\nplease close my account.\n",
            await File.ReadAllTextAsync(
                Path.Join(page.Target, ServedBackup.LocalName(2026, 3, 4, 21, 30), "Letter to the bank.txt"),
                TestContext.Current.CancellationToken
            )
        );
        Assert.Equal(
            26,
            Directory
                .GetFiles(
                    Path.Join(page.Target, ServedBackup.LocalName(2026, 3, 20, 21, 30)),
                    "*.jpg",
                    SearchOption.AllDirectories
                )
                .Length
        );
        await tab.ClickAsync("#restore button", "Close");
    }

    [Fact]
    public async Task A_lost_file_is_reported_with_its_bytes_and_a_link_to_the_version_that_has_it_whole()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.DamagedAddress);
        await GoAsync(tab, "Documents", "Letter to the bank.txt");
        await tab.PressAsync(" ");
        await tab.ClickAsync("#plan");
        await tab.UntilAsync(
            "document.querySelector('#restore .error')?.innerText.includes('whole: 1 entry is lost.')"
        );
        await tab.ClickAsync("#start");
        await tab.UntilAsync("document.querySelector('#restore .group.bad')?.innerText.includes('Show in Mon 16 Mar')");
        Assert.EndsWith(
            ", which has an older state of it whole",
            await tab.TextAsync("document.querySelector('#restore .group.bad button')"),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "1 entry is lost; ",
            await tab.TextAsync("document.querySelector('#restore h2.error')"),
            StringComparison.Ordinal
        );
        Assert.Matches(
            @"All of its \d\d bytes are lost",
            await tab.TextAsync("document.querySelector('#restore .group.bad')")
        );

        // How a restore ended is not the health of the backup.
        await tab.ClickAsync("#to-health");
        await tab.UntilAsync("!document.querySelector('#health').hidden && document.querySelector('#restore').hidden");
        await tab.ClickAsync("#to-files");
        await tab.UntilAsync("!document.querySelector('#browse').hidden && !document.querySelector('#restore').hidden");
        await tab.ClickAsync("#restore button", "Show in");
        await tab.UntilAsync(
            "document.querySelector('.row.active')?.innerText.includes('Letter') && location.hash.startsWith('#/1/')"
        );
        await tab.ClickAsync("#restore button", "Pick");
        await tab.UntilAsync("document.querySelector('#picked')?.innerText === '2 entries of 2 versions picked'");
    }

    [Fact]
    public async Task The_health_of_the_volumes_is_a_grid_and_each_volume_has_the_files_that_need_it()
    {
        await using Tab tab = await page.Browser.OpenAsync(new Uri(page.DamagedAddress, "#/health"));
        await CheckAsync(tab);
        string said = await tab.TextAsync("document.querySelector('.say.error')");
        Assert.Matches(@"^\d+ files? (is|are) lost, in whole or in part, in (this folder|these folders):$", said);
        Assert.Contains(
            (await tab.TextsAsync(".lost-folders li")),
            line => line.Contains("/Documents/", StringComparison.Ordinal)
        );
        const string Top = "document.querySelector('{0}').getBoundingClientRect().top";
        string[] tops =
        [
            .. new[] { ".say", ".volumes" }.Select(part => Top.Replace("{0}", part, StringComparison.Ordinal)),
        ];
        Assert.True((bool)(await tab.EvalAsync(string.Join(" < ", tops)))!);
        Assert.Equal(1, (int)(await tab.EvalAsync("document.querySelectorAll('.volumes .missing').length"))!);

        // A restore of another test may have found out that it is damaged.
        Assert.Equal(
            1,
            (int)(await tab.EvalAsync("document.querySelectorAll('.volumes .wrong, .volumes .lossy').length"))!
        );
        await tab.ClickAsync(".volumes .missing");
        await tab.UntilAsync("document.querySelector('.dependents')?.innerText.includes('Letter to the bank.txt')");
        await tab.PressAsync("Home", "ArrowRight", "Enter");
        await tab.UntilAsync("document.querySelectorAll('.volumes .cell')[1].getAttribute('aria-pressed') === 'true'");
        await tab.ClickAsync("#health button", "Read and verify everything");
        await tab.ClickAsync("#start");
        await tab.UntilAsync("/(is|are) (lost|damaged)/.test(document.querySelector('#restore h2.error')?.innerText)");
        await tab.ClickAsync("#close");
    }

    [Fact]
    public async Task A_list_that_could_not_be_read_is_read_when_one_tries_again()
    {
        string list = Directory.GetFiles(page.Location, "*20260308*.dlist.zip").Single();
        await using Tab tab = await page.Browser.OpenAsync(new Uri(page.Address, "#/0/-1"));
        await tab.UntilAsync("document.querySelectorAll('.change').length === 4");

        // The lists that were read stay read: a server of its own begins without them.
        await using Backup backup = await Backup.OpenAsync(
            page.Location,
            cancellationToken: TestContext.Current.CancellationToken
        );
        await using BrowseServer server = await BrowseServer.StartAsync(
            backup,
            cancellationToken: TestContext.Current.CancellationToken
        );
        File.Move(list, $"{list}.away");
        try
        {
            await using Tab other = await page.Browser.OpenAsync(new Uri(server.Address, "#/3/-1"));
            await other.UntilAsync("document.querySelector('#files > .empty .error')");
            File.Move($"{list}.away", list);
            await other.ClickAsync("#files > .empty button", "Try again");
            await other.UntilAsync(Start);
        }
        finally
        {
            if (File.Exists($"{list}.away"))
            {
                File.Move($"{list}.away", list);
            }
        }
    }

    [Fact]
    public async Task An_address_without_its_last_slash_shows_the_page_and_one_without_the_token_says_so()
    {
        await using Tab tab = await page.Browser.OpenAsync(new Uri(page.Address.ToString().TrimEnd('/')));
        await tab.UntilAsync(Start);
        await tab.GoAsync(new Uri(page.Address.GetLeftPart(UriPartial.Authority) + "/"));
        await tab.UntilAsync("document.body.innerText.includes('open the whole address that the program printed')");
    }

    [Fact]
    public async Task Colors_follow_the_system_and_texts_are_readable_in_both()
    {
        const string Contrast = """
            (() => {
              const light = color => color.match(/[\d.]+/g).slice(0, 3).map(c => c / 255).map(c => c <= 0.04 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
                .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
              const back = one => getComputedStyle(one).backgroundColor;
              const behind = one => back(one) === 'rgba(0, 0, 0, 0)' && one.parentElement ? behind(one.parentElement) : back(one);
              const seen = [...document.querySelectorAll('button, a, small, p, h1, h2, dt, dd, .row span, label span, .chip')]
                .filter(one => one.innerText && one.offsetParent && !one.disabled);
              return seen.map(one => {
                const [a, b] = [light(getComputedStyle(one).color), light(behind(one))].sort((x, y) => y - x);
                return { ratio: (a + 0.05) / (b + 0.05), text: `${one.tagName}.${one.className}: ${one.innerText}` };
              }).filter(one => one.ratio < 4.5).map(one => `${one.ratio.toFixed(2)} ${one.text}`);
            })()
            """;
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await GoAsync(tab, "Documents", "Letter to the bank.txt");
        await tab.UntilAsync("document.querySelector('#details').innerText.includes('To fetch')");
        foreach (bool isDark in (bool[])[false, true])
        {
            await tab.SetDarkAsync(isDark);
            string back = (string)(await tab.EvalAsync("getComputedStyle(document.body).backgroundColor"))!;
            Assert.Equal(isDark, back != "rgb(255, 255, 255)");
            await tab.UntilAsync(
                $"{Contrast}.length === 0 || performance.now() > 0 && document.getAnimations().length === 0"
            );
            Assert.Empty((await tab.EvalAsync(Contrast))!.AsArray().Select(one => (string)one!));
        }
    }

    [Fact]
    public async Task The_tab_key_goes_through_the_page_in_order_and_a_screen_reader_hears_a_name_for_everything()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await tab.UntilAsync(Start);
        await tab.UntilAsync("document.querySelector('#details dl')");
        await tab.EvalAsync("document.querySelector('.row .box').click()");
        await tab.UntilAsync("document.querySelector('#plan')");
        await tab.EvalAsync("document.activeElement.blur()");
        List<string> order = [];
        for (int i = 0; i < 60 && order.LastOrDefault() != "restore"; i++)
        {
            await tab.PressAsync("Tab");
            string place = (string)
                (
                    await tab.EvalAsync(
                        "(at => at.closest('#versions, #files, #details, #restore')?.id ?? at.closest('header')?.tagName ?? 'none')(document.activeElement)"
                    )
                )!;
            if (order.LastOrDefault() != place)
            {
                order.Add(place);
            }
        }

        Assert.Equal(["HEADER", "versions", "files", "details", "restore"], order);
        (string Role, string Name)[] heard = await tab.AccessibilityAsync();
        string[] named = ["button", "link", "row", "grid", "checkbox", "searchbox", "navigation"];
        Assert.DoesNotContain(heard, node => named.Contains(node.Role) && node.Name.Length == 0);
        Assert.Contains(heard, node => node.Role == "grid" && node.Name == "Entries");
        Assert.Contains(heard, node => node.Role == "row");
        Assert.Contains(heard, node => node.Role == "searchbox" && node.Name == "Search all versions");
        Assert.Contains(heard, node => node.Role is "region" && node.Name == "Restore");
    }
}
