using Restore.Storage.Local;
using Restore.Web;

namespace Restore.Tests.Web.Browser;

/// <content>The timeline, its verdicts, and what happens while lists are read.</content>
public sealed partial class PageInBrowserTests
{
    [Fact]
    public async Task The_timeline_has_weekdays_and_groups_jumps_to_a_day_and_shows_where_a_file_changed()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await GoAsync(tab, "Documents", "Shopping.txt", version: 1);
        await tab.UntilAsync("document.querySelector('#only-changed:enabled')");
        Assert.Matches(
            "^(Fri 20 Mar|Fri 20 Mar 2026) [0-9]{2}:30",
            await tab.TextAsync("document.querySelector(\".version[data-version='0']\")")
        );
        Assert.StartsWith("March", Assert.Single(await tab.TextsAsync(".period h3")), StringComparison.Ordinal);
        await tab.EvalAsync(
            "(jump => { jump.value = '2026-03-10'; jump.dispatchEvent(new Event('change')); })(document.querySelector('#jump'))"
        );
        await tab.UntilAsync("location.hash.startsWith('#/3/')");
        await tab.UntilAsync("document.querySelector('#details .name-of')?.innerText === 'Shopping.txt'");
        await tab.UntilAsync("document.querySelectorAll('#details .spans li').length === 2");
        await tab.ClickAsync("#only-changed");
        await tab.UntilAsync(
            "[...document.querySelectorAll('.version')].map(one => one.dataset.version).join() === '1,3'"
        );
        await tab.ClickAsync("#only-changed");
        await tab.UntilAsync("document.querySelectorAll('.version').length === 5");
    }

    [Fact]
    public async Task The_timeline_is_one_stop_of_the_tab_key_and_the_arrows_move_in_it()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await tab.UntilAsync(Start);
        await tab.UntilAsync("document.querySelectorAll('.change').length === 4");
        Assert.Equal(1, (int)(await tab.EvalAsync("document.querySelectorAll('.version[tabindex=\"0\"]').length"))!);
        await tab.EvalAsync("document.querySelector('.version[tabindex=\"0\"]').focus()");
        await tab.PressAsync("ArrowDown", "ArrowDown");
        Assert.Equal("2", (string?)await tab.EvalAsync("document.activeElement.dataset.version"));
        await tab.PressAsync("Enter");
        await tab.UntilAsync("location.hash.startsWith('#/2/')");
        await tab.UntilAsync("document.activeElement.dataset.version === '2'");
        await tab.PressAsync("Tab");
        Assert.Null(await tab.EvalAsync("document.activeElement.closest('.timeline')"));
    }

    [Fact]
    public async Task Verdicts_stand_in_the_timeline_and_the_last_good_of_everything_is_planned_and_restored()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.DamagedAddress);
        await tab.UntilAsync(Start);
        await CloseReportAsync(tab);
        await tab.ClickAsync("#assess");
        await tab.UntilAsync("document.querySelectorAll('.version .verdict').length === 5");
        Assert.Contains("virus", await tab.TextAsync("document.querySelector('.verdicts')"), StringComparison.Ordinal);
        await tab.ClickAsync("#last-good");
        await tab.UntilAsync("document.querySelector('#start')");
        Assert.Contains(
            "the last good of each file, from ",
            await tab.TextAsync("document.querySelector('#restore tbody')"),
            StringComparison.Ordinal
        );
        await tab.ClickAsync("#links");
        await tab.UntilAsync(
            "document.querySelector('#restore .body')?.innerText.includes('Nothing is written through them')"
        );
        Assert.Contains(
            "the last good of each file, from ",
            await tab.TextAsync("document.querySelector('#restore tbody')"),
            StringComparison.Ordinal
        );
        await tab.ClickAsync("#restore button", "Back");
    }

    [Fact]
    public async Task Results_come_from_the_lists_that_are_there_and_keep_choice_and_place_while_others_are_read()
    {
        await using HeldStore store = new(new LocalFolderStore(page.Location), "20260304", "20260308");
        await using Backup backup = await Backup.OpenAsync(store);
        await using BrowseServer server = await BrowseServer.StartAsync(
            backup,
            cancellationToken: TestContext.Current.CancellationToken
        );
        await using Tab tab = await page.Browser.OpenAsync(server.Address);
        await tab.UntilAsync(Start);
        await tab.SearchAsync("recipe");
        await tab.UntilAsync("document.querySelector('#status').innerText.includes('2 versions still to be read')");
        await tab.UntilAsync($"{Rows}.length > 5");
        string first = (string)(await tab.EvalAsync($"{Rows}[4].firstChild.textContent"))!;
        await tab.EvalAsync("document.querySelector('.scroll').scrollTop = 4800");
        await tab.UntilAsync(
            $"{Rows}[4]?.innerText.startsWith('recipe') && {Rows}[4].firstChild.textContent !== {Tab.Quote(first)}"
        );
        string name = (string)(await tab.EvalAsync($"{Rows}[4].firstChild.textContent"))!;
        await tab.ClickAsync(".row:nth-child(5) .name");
        await tab.UntilAsync($"document.querySelector('#details .name-of')?.innerText === {Tab.Quote(name)}");
        store.Release();
        await tab.UntilAsync("document.querySelector('#status').innerText === '301 paths in 5 versions'");
        Assert.Equal(
            name,
            (string?)await tab.EvalAsync("document.querySelector('.row.active .name')?.firstChild.textContent")
        );
        Assert.Equal(4800, (int)(await tab.EvalAsync("document.querySelector('.scroll').scrollTop"))!);
        Assert.Equal(name, await tab.TextAsync("document.querySelector('#details .name-of')"));
    }

    [Fact]
    public async Task While_a_search_waits_for_its_answer_no_row_of_what_was_shown_before_stands_under_it()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await tab.UntilAsync(Start);
        await tab.EvalAsync(
            """
            (real => {
              const held = new Promise(resume => { globalThis.release = resume; });
              globalThis.fetch = async (address, ...rest) => {
                await (String(address).startsWith('api/search') ? held : null);
                return real(address, ...rest);
              };
            })(fetch)
            """
        );
        await tab.SearchAsync("IMG");
        await tab.UntilAsync($"location.hash === '#/find' && {Rows}.length === 0");
        await tab.EvalAsync("release()");
        await tab.UntilAsync($"{Rows}.length > 5 && {Rows}.every(row => row.innerText.startsWith('IMG'))");
    }
}
