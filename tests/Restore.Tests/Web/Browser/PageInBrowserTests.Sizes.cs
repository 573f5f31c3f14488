using System.Text.Json.Nodes;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Web.Browser;

/// <content>Phones, tablets, zoom, screen readers.</content>
public sealed partial class PageInBrowserTests
{
    [Fact]
    public async Task On_a_phone_the_list_has_the_screen_a_finger_opens_details_and_Back_leads_to_the_list_again()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await tab.UntilAsync(Start);
        await tab.BecomePhoneAsync();
        await tab.UntilAsync($"innerWidth === 390 && matchMedia('(pointer: coarse)').matches && {Start}");
        Assert.True(
            (double)(await tab.EvalAsync("document.querySelector('.scroll').clientHeight / innerHeight"))! > 0.5
        );
        await tab.TapAsync(".row .name", "Documents");
        await tab.UntilAsync("document.querySelector('.path [aria-current=location]').innerText === 'Documents'");
        await tab.TapAsync(".row .tick[aria-label='Pick Garden.txt']");
        await tab.UntilAsync("document.querySelector('#picked').innerText.startsWith('1 entry')");
        Assert.True(
            (bool)
                (
                    await tab.EvalAsync(
                        "!!document.querySelector('.row[aria-selected=true] [aria-label=\"Pick Garden.txt\"]')"
                    )
                )!
        );
        await tab.TapAsync(".row .name", "Garden.txt");
        await tab.UntilAsync(
            "document.querySelector('#details .close')?.checkVisibility() && document.activeElement.className === 'close'"
        );
        await tab.TapAsync("#details button", "Preview");
        await tab.UntilAsync("document.querySelector('pre.preview')?.innerText.includes('beans')");
        await tab.EvalAsync("history.back()");
        await tab.UntilAsync("!document.querySelector('#details').checkVisibility()");
        await tab.UntilAsync("document.querySelector('.scroll').checkVisibility({ visibilityProperty: true })");
        await tab.TapAsync(".row button[aria-label='Details of Accounts.ods']");
        await tab.UntilAsync("document.querySelector('#details .name-of')?.innerText === 'Accounts.ods'");
        await tab.TapAsync(".close");
        await tab.UntilAsync("!document.querySelector('#details').checkVisibility()");
        string[] small = [.. (
                await tab.EvalAsync(
                    """
                    [...document.querySelectorAll('button, summary, input, .box')].filter(one => one.checkVisibility({ visibilityProperty: true }))
                      .filter(one => one.getBoundingClientRect().height < 24 && one.type !== 'checkbox').map(one => one.outerHTML)
                    """
                )
            )!.AsArray().Select(one => (string)one!)];
        Assert.Empty(small);
        await tab.TapAsync("#clear");
    }

    [Fact]
    public async Task At_twice_the_size_the_page_scrolls_and_the_list_keeps_rows()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await tab.UntilAsync(Start);
        await tab.SetSizeAsync(640, 400);
        await tab.ClickAsync(".row:nth-child(1) .box");
        await tab.ClickAsync(".options summary");
        Assert.True((double)(await tab.EvalAsync("document.querySelector('.scroll').clientHeight"))! >= 240);
        await tab.EvalAsync("scrollTo(0, 1e6)");
        await tab.UntilAsync(
            "document.querySelector('.option:last-child').getBoundingClientRect().bottom <= innerHeight"
        );
        Assert.Equal(0, (int)(await tab.EvalAsync("Math.max(0, document.documentElement.scrollWidth - innerWidth)"))!);
        await tab.ClickAsync("#clear");
    }

    [Fact]
    public async Task What_a_search_found_shows_the_end_of_its_path_and_Back_leads_to_it_again()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await tab.UntilAsync(Start);
        await tab.SetSizeAsync(900, 700);
        await tab.EvalAsync("document.querySelector('#search').focus()");
        await tab.TypeAsync("IMG_20");
        await tab.UntilAsync($"{Rows}.length > 5 && {Rows}[0].querySelector('.place')");
        JsonNode place = (
            await tab.EvalAsync(
                """
                (place => ({ text: place.innerText, end: place.querySelector('bdi').getBoundingClientRect().right - place.getBoundingClientRect().right }))
                  (document.querySelector('.row .place'))
                """
            )
        )!;
        Assert.EndsWith("/Photos/Summer by the lake/", (string)place["text"]!, StringComparison.Ordinal);
        Assert.True((double)place["end"]! <= 1);
        await tab.ClickAsync(".row:nth-child(3) .name");
        await tab.EvalAsync("document.querySelector('.scroll').focus()");
        await tab.PressAsync("Enter");
        await tab.UntilAsync(
            "document.querySelector('.path [aria-current=location]')?.innerText === 'Summer by the lake'"
        );
        await tab.UntilAsync("document.querySelector('.row.active .name')?.innerText.startsWith('IMG_20')");
        await tab.EvalAsync("history.back()");
        await tab.UntilAsync(
            $"document.querySelector('#search').value === 'IMG_20' && {Rows}.length > 5 && {Rows}[0].querySelector('.place')"
        );
    }

    [Theory]
    [NeedsPrograms(".ci/install-servers", Tab.Axe)]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Axe_finds_nothing_wrong(bool isPhone)
    {
        await using Tab tab = await page.Browser.OpenAsync(page.DamagedAddress, isDark: isPhone);
        if (isPhone)
        {
            await tab.BecomePhoneAsync();
        }

        async Task JudgeAsync(string state, string until)
        {
            await tab.UntilAsync(until);
            await tab.UntilAsync("document.getAnimations().every(one => one.playState === 'finished')");
            Assert.Equal([], (await tab.AxeAsync()).Select(found => $"{state}: {found}"));
        }

        await tab.UntilAsync(Start);
        await CloseReportAsync(tab);
        await JudgeAsync("files", $"{Start} && document.querySelector('#details dl')");
        await GoAsync(tab, "Documents", "Letter to the bank.txt");
        await tab.EvalAsync(
            "[...document.querySelectorAll('#details button')].find(one => one.innerText === 'Preview').click()"
        );
        await JudgeAsync("details", "document.querySelector('#details .preview, #details .error')");
        await tab.SearchAsync("IMG");
        await JudgeAsync("found", "document.querySelector('.row .place')");
        await tab.ClickAsync(".row:nth-child(2) .box");
        await GoAsync(tab, "Documents", "Letter to the bank.txt");
        await tab.EvalAsync("document.querySelector('.row.active .box').click()");
        await tab.ClickAsync(".options summary");
        await JudgeAsync("options", "document.querySelector('.option').checkVisibility()");
        await tab.ClickAsync("#target");
        await JudgeAsync("folders", "document.querySelector('dialog .folders li')");
        await tab.PressAsync("Escape");
        await tab.UntilAsync("!document.querySelector('dialog') && document.activeElement.id === 'target'");
        await tab.ClickAsync("#plan");
        await JudgeAsync("plan", "document.querySelector('#start')");
        await tab.ClickAsync("#start");
        await JudgeAsync("report", "document.querySelector('#save') && document.querySelector('.group.bad')");
        await tab.ClickAsync("#close");
        await tab.ClickAsync("#clear");
        await tab.GoAsync("#/health");
        await CheckAsync(tab);
        await tab.ClickAsync(".volumes .missing");
        await JudgeAsync("health", "document.querySelector('.dependents')");
    }
}
