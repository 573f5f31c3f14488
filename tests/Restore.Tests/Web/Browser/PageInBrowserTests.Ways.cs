namespace Restore.Tests.Web.Browser;

/// <content>
/// The main job of the page: a file of an older version, in at most four clicks on every way.
/// </content>
public sealed partial class PageInBrowserTests
{
    private const int MostClicks = 4;
    private const string Letter = "Letter to the bank.txt";

    // The version that has 'Draft 3'.
    private const string ThatTuesday = ".version[data-version='2']";

    [Fact]
    public async Task By_the_tree_a_file_of_an_older_version_takes_at_most_four_clicks()
    {
        await using Tab tab = await OpenForDownloadsAsync();
        ClickCounter person = new(tab);
        await person.ClickAsync(ThatTuesday);
        await tab.UntilAsync("location.hash.startsWith('#/2/')");
        await person.ClickAsync(".row .enter", "Documents");
        await tab.UntilAsync($"{Rows}.some(row => row.innerText.startsWith('Letter'))");
        await person.ClickAsync(".row .name", "Letter");
        await tab.UntilAsync($"document.querySelector('#details .name-of')?.innerText === {Tab.Quote(Letter)}");
        await person.ClickAsync("#download");
        await AssertDraftAsync(tab, person);
    }

    [Fact]
    public async Task By_a_row_of_the_tree_it_takes_one_click_less()
    {
        await using Tab tab = await OpenForDownloadsAsync();
        ClickCounter person = new(tab);
        await person.ClickAsync(ThatTuesday);
        await tab.UntilAsync("location.hash.startsWith('#/2/')");
        await person.ClickAsync(".row .enter", "Documents");
        await tab.UntilAsync($"{Rows}.some(row => row.innerText.startsWith('Letter'))");
        await tab.HoverAsync(".row .name", "Letter");
        await person.ClickAsync($".row .get[aria-label={Tab.Quote($"Download {Letter}")}]");
        await AssertDraftAsync(tab, person, most: MostClicks - 1);
    }

    [Fact]
    public async Task By_a_search_it_takes_at_most_four_clicks_and_another_version_keeps_search_choice_and_details()
    {
        await using Tab tab = await OpenForDownloadsAsync();
        ClickCounter person = new(tab);
        await person.ClickAsync("#search");
        await tab.TypeAsync("bank");
        await tab.UntilAsync($"{Rows}.some(row => row.innerText.startsWith('Letter'))");
        await person.ClickAsync(".row .name", "Letter");
        await tab.UntilAsync("document.querySelector('#details dl')?.innerText.includes('Letter to the bank.txt')");
        await person.ClickAsync(ThatTuesday);
        await tab.UntilAsync("document.querySelector(\".version[data-version='2']\").ariaCurrent === 'true'");
        Assert.Equal("bank", (string?)await tab.EvalAsync("document.querySelector('#search').value"));
        await tab.UntilAsync(
            "document.querySelector('.row.active .name')?.innerText.startsWith('Letter') && document.querySelector('#download')?.href.includes('version=2')"
        );
        await person.ClickAsync("#download");
        await AssertDraftAsync(tab, person);
    }

    [Fact]
    public async Task By_its_history_it_takes_at_most_four_clicks()
    {
        await using Tab tab = await OpenForDownloadsAsync();
        ClickCounter person = new(tab);
        await person.ClickAsync(".row .enter", "Documents");
        await tab.UntilAsync($"{Rows}.some(row => row.innerText.startsWith('Letter'))");
        await person.ClickAsync(".row .name", "Letter");
        await tab.UntilAsync("document.querySelectorAll('#details .spans li').length === 5");
        await person.ClickAsync("#details .spans a[data-version='2']");
        await AssertDraftAsync(tab, person, most: MostClicks - 1);
    }

    [Fact]
    public async Task By_the_timeline_it_takes_at_most_four_clicks_and_the_chosen_file_stays_chosen()
    {
        await using Tab tab = await OpenForDownloadsAsync();
        ClickCounter person = new(tab);
        await person.ClickAsync(".row .enter", "Documents");
        await tab.UntilAsync($"{Rows}.some(row => row.innerText.startsWith('Letter'))");
        await person.ClickAsync(".row .name", "Letter");
        await tab.UntilAsync($"document.querySelector('#details .name-of')?.innerText === {Tab.Quote(Letter)}");
        await person.ClickAsync(ThatTuesday);
        await tab.UntilAsync(
            "location.hash.startsWith('#/2/') && document.querySelector('.row.active .name')?.innerText.startsWith('Letter')"
        );
        await tab.UntilAsync("document.querySelector('#download')?.href.includes('version=2')");
        await person.ClickAsync("#download");
        await AssertDraftAsync(tab, person);
    }

    [Fact]
    public async Task On_a_phone_what_was_found_keeps_its_details_in_another_version_and_Back_leads_to_the_search()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await tab.UntilAsync(Start);
        await tab.BecomePhoneAsync();
        await tab.UntilAsync($"innerWidth === 390 && matchMedia('(pointer: coarse)').matches && {Start}");
        await tab.SearchAsync("bank");
        await tab.UntilAsync($"{Rows}.some(row => row.innerText.startsWith('Letter'))");
        await tab.TapAsync(".row .name", "Letter");
        await tab.UntilAsync(
            "document.querySelector('#details .close')?.checkVisibility() && document.querySelectorAll('#details .spans li').length === 5"
        );
        await tab.UntilAsync(
            "document.querySelector('#details').innerText.includes('To fetch') && document.activeElement.className === 'close'"
        );
        await tab.TapAsync("#details .spans li:nth-child(3) button.plain:not(.span-tick)");
        await tab.UntilAsync(
            "document.querySelector('#details').checkVisibility() && document.querySelector('#download')?.href.includes('version=2')"
        );
        await tab.EvalAsync("history.back()");
        await tab.UntilAsync("!document.querySelector('#details').checkVisibility()");
        await tab.UntilAsync("document.querySelector('.row.active .name')?.innerText.startsWith('Letter')");
        Assert.Equal("bank", (string?)await tab.EvalAsync("document.querySelector('#search').value"));
    }

    [Fact]
    public async Task A_file_that_the_other_version_does_not_have_stays_in_the_details_with_the_versions_that_do()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await GoAsync(tab, "Documents", "Shopping.txt", version: 1);
        await tab.ClickAsync(".version[data-version='0']");
        await tab.UntilAsync("document.querySelector('#details .warn')?.innerText.includes('does not have it')");
        Assert.Equal("Shopping.txt", await tab.TextAsync("document.querySelector('#details .name-of')"));
        await tab.UntilAsync("document.querySelectorAll('#details .spans li').length === 2");
        Assert.Null(await tab.EvalAsync("document.querySelector('.row.active')"));
    }

    [Fact]
    public async Task A_version_in_the_history_is_picked_with_its_tick_and_picks_survive_a_reload()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await GoAsync(tab, "Documents", Letter);
        await tab.UntilAsync("document.querySelectorAll('#details .spans li').length === 5");
        await new ClickCounter(tab).ClickAsync("#details .spans li:nth-child(4) .span-tick");
        await tab.UntilAsync(
            "document.querySelector('#details .spans li:nth-child(4) .span-tick').ariaChecked === 'true'"
        );
        await tab.UntilAsync("document.querySelector('#picked').innerText === '1 entry of 1 version picked'");
        await tab.ReloadAsync();
        await tab.UntilAsync("document.querySelector('#picked')?.innerText === '1 entry of 1 version picked'");
        await GoAsync(tab, "Documents", Letter);
        await tab.UntilAsync(
            "document.querySelector('#details .spans li:nth-child(4) .span-tick')?.ariaChecked === 'true'"
        );
        await tab.ClickAsync("#clear");
        await tab.UntilAsync(
            "document.querySelector('#details .spans li:nth-child(4) .span-tick').ariaChecked === 'false'"
        );
    }

    [Fact]
    public async Task A_lost_file_is_marked_in_list_and_search_with_the_version_of_another_state_in_place_of_a_download()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.DamagedAddress);
        await GoAsync(tab, "Documents", Letter);
        await tab.UntilAsync(
            "document.querySelector('#no-download')?.innerText.includes('This state of the file is lost')"
        );
        Assert.Null(await tab.EvalAsync("document.querySelector('#download')"));
        await tab.UntilAsync(
            "document.querySelector('.row.active .loss')?.innerText.startsWith('lost, another state in Mon 16 Mar')"
        );
        Assert.Null(await tab.EvalAsync("document.querySelector('.row.active .get')"));
        await tab.SearchAsync("bank");
        await tab.UntilAsync(
            "document.querySelector('.tall .row .loss')?.innerText.startsWith('lost, another state in Mon 16 Mar')"
        );

        // The details are those of what was found.
        await tab.UntilAsync("document.querySelector('#go-to')");
        await tab.ClickAsync("#no-download button");
        await tab.UntilAsync("document.querySelector('#download')?.href.includes('version=1')");
    }

    private async Task<Tab> OpenForDownloadsAsync()
    {
        page.Downloads.Forget();
        Tab tab = await page.Browser.OpenAsync(page.Address);
        await tab.UntilAsync(Start);
        await tab.UntilAsync("document.querySelector('.path [aria-current=location]')?.innerText === 'ann'");
        return tab;
    }

    private async Task AssertDraftAsync(Tab tab, ClickCounter person, int most = MostClicks)
    {
        string text = await File.ReadAllTextAsync(
            await page.Downloads.WaitAsync(Letter),
            TestContext.Current.CancellationToken
        );
        Assert.StartsWith("Draft 3", text, StringComparison.Ordinal);
        Assert.InRange(person.Clicks, 1, most);
        await tab.UntilAsync("document.querySelectorAll('#status.error').length === 0");
    }
}
