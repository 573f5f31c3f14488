using System.Globalization;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace Restore.Tests.Web.Browser;

/// <content>Where to, how, and what is said of it.</content>
public sealed partial class PageInBrowserTests
{
    /// <summary>Watches the bar for the least that it shows.</summary>
    private const string LeastOfBar = """
        globalThis.leastOfBar = 1;
        new MutationObserver(() => {
          globalThis.leastOfBar = Math.min(globalThis.leastOfBar, document.querySelector('#restore progress')?.value ?? 1);
        }).observe(document.querySelector('#restore'), { attributes: true, childList: true, subtree: true });
        0
        """;

    [Fact]
    public async Task A_folder_is_chosen_by_keyboard_and_plan_progress_and_report_name_it()
    {
        Directory.CreateDirectory(Path.Join(page.Target, "Before", "the flood"));
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await GoAsync(tab, "Photos", "Summer by the lake");
        await tab.PressAsync(" ");
        await tab.ClickAsync("#target");
        await tab.UntilAsync("document.querySelector('dialog[open] .folders')?.innerText.includes('Before')");
        Assert.Matches("[0-9] [A-Za-z]+ are free there", await tab.TextAsync("document.querySelector('dialog')"));
        await tab.ClickAsync(".folders button", "Before");
        await tab.UntilAsync("document.querySelector('.folders').innerText.includes('the flood')");
        Assert.Equal("the flood", (string?)await tab.EvalAsync("document.activeElement.innerText"));
        await tab.EvalAsync("document.querySelector('#new-folder').focus()");
        await tab.TypeAsync("..");
        await tab.PressAsync("Enter");
        await tab.UntilAsync(
            "document.querySelector('dialog [role=alert]').innerText.includes('cannot be the name of a folder')"
        );
        await tab.EvalAsync("document.querySelector('#new-folder').value = ''");
        await tab.TypeAsync("Lake");
        await tab.PressAsync("Enter");
        await tab.UntilAsync("!document.querySelector('dialog') && document.activeElement.id === 'target'");
        Assert.Equal("target", (string?)await tab.EvalAsync("document.activeElement.id"));
        string chosen = Path.Join(page.Target, "Before/Lake");
        Assert.Contains(
            chosen,
            await tab.TextAsync("document.querySelector('#restore .target')"),
            StringComparison.Ordinal
        );

        // The folder is not chosen by looking at it.
        await tab.PressAsync("Enter");
        await tab.UntilAsync("document.querySelector('dialog[open] .folders')");
        await tab.PressAsync("Escape");
        await tab.UntilAsync("!document.querySelector('dialog') && document.activeElement.id === 'target'");
        Assert.Equal("target", (string?)await tab.EvalAsync("document.activeElement.id"));
        Assert.Contains(
            chosen,
            await tab.TextAsync("document.querySelector('#restore .target')"),
            StringComparison.Ordinal
        );

        await tab.ClickAsync("#plan");
        await tab.UntilAsync("document.querySelector('#start')");
        string inAll = (await tab.TextAsync("document.querySelector('#fetched')")).Split(" in all")[0];
        Assert.Equal(
            $"Plan: restore 24 files to {chosen}",
            await tab.TextAsync("document.querySelector('#restore h2')")
        );
        await tab.ClickAsync("#start");
        await tab.UntilAsync(
            $"document.querySelector('#restore h2').innerText === {Tab.Quote($"Restoring 24 files to {chosen}")}"
        );
        await tab.UntilAsync(
            "/\\d % *, .* fetched, .* in place, \\d+ of 24 files/.test(document.querySelector('#restore .figures').innerText)"
        );
        await tab.ClickAsync("#pause");
        await tab.UntilAsync("document.querySelector('#restore h2').innerText.startsWith('Paused')");
        Assert.Equal("Go on", await tab.TextAsync("document.querySelector('#start')"));
        double held = (double)(await tab.EvalAsync("document.querySelector('#restore progress').value"))!;
        await tab.EvalAsync(LeastOfBar);
        await tab.ClickAsync("#start");
        await tab.UntilAsync("document.querySelector('#restore h2.good')");
        Assert.InRange(held, 0, 0.99);
        Assert.InRange((double)(await tab.EvalAsync("leastOfBar"))!, held, 1);

        // Reads of neighbors are joined as they come, and a pause changes when they come.
        double planned = MebibytesOf(inAll);
        Assert.InRange(
            MebibytesOf(await tab.TextAsync("document.querySelector('#restore .body')"), " fetched in"),
            planned * 0.8,
            planned * 1.2
        );
        Assert.Contains(
            chosen,
            await tab.TextAsync("document.querySelector('#restore .body')"),
            StringComparison.Ordinal
        );
        Assert.Equal(24, Directory.GetFiles(chosen, "*", SearchOption.AllDirectories).Length);
        await tab.ClickAsync("#close");
        await tab.ClickAsync("#clear");
    }

    /// <summary>The number in front of "MiB" and what follows it.</summary>
    private static double MebibytesOf(string text, string then = "")
    {
        Match match = Regex.Match(text, $@"([\d.]+) MiB{then}");
        Assert.True(match.Success, text);
        return double.Parse(match.Groups[1].ValueSpan, CultureInfo.InvariantCulture);
    }

    [Fact]
    public async Task Options_are_explained_with_a_picked_entry_and_links_are_offered_before_and_after()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await GoAsync(tab, "Projects", "venv");
        await tab.PressAsync(" ");
        await tab.ClickAsync(".options summary");
        string options = (await tab.TextAsync("document.querySelector('.options')")).Replace(
            "\n",
            " ",
            StringComparison.Ordinal
        );
        Assert.Contains(
            $"{page.Source}/Projects/venv goes to {page.Target}{page.Source}/Projects/venv; otherwise",
            options,
            StringComparison.Ordinal
        );
        Assert.Contains("Nothing is ever written through a link", options, StringComparison.Ordinal);
        await tab.ClickAsync(".options summary");
        await tab.ClickAsync("#plan");
        await tab.UntilAsync(
            "document.querySelector('#restore .warn')?.innerText.includes('those that point out of the folder are left out')"
        );
        await tab.ClickAsync("#start");
        await tab.UntilAsync(
            "document.querySelector('#restore h2.warn')?.innerText.includes('1 link was left out, and nothing is lost')"
        );
        Assert.Equal("1 left out", await tab.TextAsync("document.querySelector('.group.warn .tag')"));
        Assert.Equal(
            0,
            (int)(await tab.EvalAsync("document.querySelectorAll('#restore .error, #restore .group.bad').length"))!
        );
        await tab.ClickAsync("#links");
        await tab.UntilAsync(
            "document.querySelector('#restore .body')?.innerText.includes('Nothing is written through them')"
        );
        await tab.ClickAsync("#start");
        await tab.UntilAsync("document.querySelector('#restore h2.good')");
        string link = Directory.GetFileSystemEntries(page.Target, "python", SearchOption.AllDirectories).Single();
        Assert.Equal("/usr/bin/python3", File.ResolveLinkTarget(link, returnFinalTarget: false)!.FullName);
        await tab.ClickAsync("#close");
    }

    [Fact]
    public async Task A_page_that_may_write_nothing_says_how_to_start_one_that_may()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.LookingAddress);
        await tab.UntilAsync(Start);
        Assert.Equal(0, (int)(await tab.EvalAsync("document.querySelectorAll('.tick').length"))!);
        await tab.ClickAsync(".how summary");
        string how = await tab.TextAsync("document.querySelector('.how')");
        Assert.Contains($"restore browse {page.Location} --restore-path=FOLDER", how, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_report_with_losses_keeps_its_headline_in_sight_groups_them_by_folder_and_is_saved_as_a_page()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.DamagedAddress);
        await tab.UntilAsync(Start);
        await CloseReportAsync(tab);
        for (int row = 1; row <= 5; row++)
        {
            await tab.ClickAsync($".row:nth-child({row}) .box");
        }

        await tab.ClickAsync("#plan");
        await tab.ClickAsync("#start");
        await tab.UntilAsync("document.querySelector('#save')");
        await tab.EvalAsync("[...document.querySelectorAll('.group')].forEach(group => { group.open = true; })");
        await tab.EvalAsync("document.querySelector('#restore .body').scrollTop = 1e6");
        const string InSight =
            "(at => at.top >= 0 && at.bottom <= innerHeight && at.height > 10)(document.querySelector('{0}').getBoundingClientRect())";
        foreach (string part in (string[])["#restore h2.error", "#save", "#close"])
        {
            Assert.True((bool)(await tab.EvalAsync(InSight.Replace("{0}", part, StringComparison.Ordinal)))!, part);
        }

        string[] groups = await tab.TextsAsync(".group summary");
        Assert.Contains(groups, group => group.Contains("/Documents/", StringComparison.Ordinal));
        Assert.DoesNotContain(groups, group => group.Contains("Letter", StringComparison.Ordinal));
        JsonNode saved = (
            await tab.EvalAsync(
                """
                fetch(document.querySelector('#save').href).then(async one => [one.headers.get('content-disposition'), await one.text()])
                """
            )
        )!;
        Assert.StartsWith("attachment; filename=restore-report-", (string)saved[0]!, StringComparison.Ordinal);
        Assert.Matches("<h1 class=\"lost\">[0-9]+ entr(y is|ies are) damaged, missing or refused", (string)saved[1]!);
        await tab.ClickAsync("#close");
        await tab.ClickAsync("#clear");
    }
}
