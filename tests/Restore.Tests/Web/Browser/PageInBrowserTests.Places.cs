using System.Text.Json.Nodes;

namespace Restore.Tests.Web.Browser;

/// <content>The way to places of the page, and pictures of it.</content>
public sealed partial class PageInBrowserTests
{
    /// <summary>With the variable RESTORE_SCREENSHOTS they are written into docs.</summary>
    [Theory]
    [InlineData("")]
    [InlineData("-phone")]
    public async Task Screenshots_of_six_states_stay_small(string ending)
    {
        await using (Tab tab = await page.Browser.OpenAsync(page.Address))
        {
            await tab.UntilAsync(Start);
            await BecomeAsync(tab, ending);
            await tab.UntilAsync("document.querySelectorAll('.change').length === 4");
            await GoAsync(tab, "Documents", "Letter to the bank.txt");
            if (ending.Length == 0)
            {
                await new ClickCounter(tab).ClickAsync("#details button", "Preview");
                await tab.UntilAsync(
                    "document.querySelector('pre.preview') && document.querySelector('#details').innerText.includes('To fetch')"
                );
            }
            else
            {
                await tab.ClickAsync(".close");
            }

            await tab.UntilAsync($"{Rows}.some(row => row.innerText.startsWith('Accounts'))");
            await tab.ClickAsync(".row .tick[aria-label='Pick Accounts.ods']");
            await tab.ClickAsync(".row .tick[aria-label='Pick Letter to the bank.txt']");
            await ShootAsync(tab, $"browse-files{ending}.png");
            await tab.ClickAsync("#clear");
            await tab.SearchAsync("IMG_204");
            await tab.UntilAsync(
                $"{Rows}.length > 5 && document.querySelector('#details .name-of')?.innerText.startsWith('IMG')"
            );
            await ShootAsync(tab, $"browse-search{ending}.png");
            await GoAsync(tab, "Photos", "Summer by the lake");
            await tab.EvalAsync("document.querySelector('.row.active .box').click()");
            await tab.ClickAsync("#plan");
            await tab.ClickAsync("#start");
            await tab.UntilAsync(
                "document.querySelector('#restore progress')?.value > 0.3 && document.querySelector('.curve').getAttribute('d')"
            );
            await tab.SetDarkAsync(true);
            await ShootAsync(tab, $"browse-restore{ending}.png");
            await tab.ClickAsync("#stop");

            // A slow machine may have finished the restore before the stop.
            await tab.UntilAsync("/Stopped|restored and verified/.test(document.querySelector('#restore').innerText)");
            await tab.ClickAsync("#close");
            await tab.ClickAsync("#clear");
        }

        await using Tab damaged = await page.Browser.OpenAsync(page.DamagedAddress);
        await damaged.UntilAsync(Start);
        await BecomeAsync(damaged, ending);
        await CloseReportAsync(damaged);
        await damaged.ClickAsync(".row .tick[aria-label='Pick Documents']");
        await damaged.ClickAsync(".row .tick[aria-label='Pick Projects']");
        await damaged.ClickAsync("#plan");
        await damaged.UntilAsync("document.querySelector('#start')");
        Assert.True(
            (bool)
                (await damaged.EvalAsync("document.querySelector('.wide .long').getBoundingClientRect().width >= 100"))!
        );
        await ShootAsync(damaged, $"browse-plan{ending}.png");
        await damaged.ClickAsync("#start");
        await damaged.UntilAsync("document.querySelector('#save')");
        await ShootAsync(damaged, $"browse-report{ending}.png");
        await damaged.ClickAsync("#close");
        await damaged.ClickAsync("#clear");
        await damaged.GoAsync("#/health");
        await CheckAsync(damaged);
        await damaged.ClickAsync(".volumes .missing");
        await damaged.UntilAsync("document.querySelector('.dependents')?.innerText.includes('Letter to the bank.txt')");
        await damaged.EvalAsync("document.querySelector('#health').scrollTop = 0");
        await ShootAsync(damaged, $"browse-health{ending}.png");
    }

    /// <summary>A page that is opened shows the last report, here that of another test.</summary>
    private static async Task CloseReportAsync(Tab tab)
    {
        if (
            (string?)await tab.EvalAsync("fetch('api/restore').then(one => one.json()).then(job => job?.state)")
            is "Done"
                or "Failed"
        )
        {
            await tab.ClickAsync("#close");
        }
    }

    private static async Task BecomeAsync(Tab tab, string ending)
    {
        if (ending.Length > 0)
        {
            await tab.BecomePhoneAsync();
            await tab.UntilAsync($"innerWidth === 390 && {Start}");
        }
    }

    /// <summary>Checks the volumes, if no other test did.</summary>
    private static async Task CheckAsync(Tab tab)
    {
        await tab.UntilAsync("document.querySelector('#health h2')");
        if ((bool)(await tab.EvalAsync("!document.querySelector('.volumes')"))!)
        {
            await tab.ClickAsync("#health button", "Check");
        }

        await tab.UntilAsync("document.querySelectorAll('.volumes .cell').length > 20");
    }

    private static async Task ShootAsync(Tab tab, string name)
    {
        await tab.UntilAsync("document.getAnimations().every(one => one.playState === 'finished')");
        byte[] picture = await tab.ScreenshotAsync();

        // The largest of those in docs has 194,000 bytes; with the names of a test's folders it has
        // up to 202,000.
        Assert.InRange(picture.Length, 10_000, 250_000);
        if (PageBackup.ScreenshotFolder is string folder)
        {
            await File.WriteAllBytesAsync(Path.Join(folder, name), picture, TestContext.Current.CancellationToken);
        }
    }

    private static async Task FocusListAsync(Tab tab)
    {
        for (
            int i = 0;
            i < 40 && (string?)await tab.EvalAsync("document.activeElement.getAttribute('role')") != "grid";
            i++
        )
        {
            await tab.PressAsync("Tab");
        }
    }

    private static async Task WalkToAsync(Tab tab, string name)
    {
        await tab.PressAsync("Home");
        for (int i = 0; i < 40; i++)
        {
            JsonNode? active = await tab.EvalAsync(
                "document.querySelector('.row.active .name')?.firstChild?.textContent"
            );
            if ((string?)active == name)
            {
                return;
            }

            await tab.PressAsync("ArrowDown");
        }

        Assert.Fail($"{name} is not in the list");
    }

    /// <summary>
    /// Goes to a folder below that of the person, and to an entry of it in the list.
    /// </summary>
    private async Task GoAsync(Tab tab, string folder, string name, int version = 0)
    {
        await tab.UntilAsync(Start);
        string path = Path.Join(page.Source, folder, name);
        string find = $"api/find?version={version}&path={Uri.EscapeDataString(path)}";
        JsonNode place = (await tab.EvalAsync($"fetch({Tab.Quote(find)}).then(one => one.json())"))!;
        await tab.GoAsync($"#/{version}/{place["folder"]}/{place["id"]}");
        await tab.UntilAsync(
            $"document.querySelector('.row.active .name')?.firstChild?.textContent === {Tab.Quote(name)}"
        );
        await tab.UntilAsync($"document.querySelector('#details .name-of')?.innerText === {Tab.Quote(name)}");
        await tab.EvalAsync("document.querySelector('.scroll').focus()");
    }
}
