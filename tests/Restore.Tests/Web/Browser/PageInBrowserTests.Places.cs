using System.Text.Json.Nodes;

namespace Restore.Tests.Web.Browser;

/// <content>The way to places of the page, and pictures of it.</content>
public sealed partial class PageInBrowserTests
{
    /// <summary>With the variable RESTORE_SCREENSHOTS they are written into docs.</summary>
    [Fact]
    public async Task Screenshots_of_three_pages_stay_small()
    {
        await using (Tab tab = await page.Browser.OpenAsync(page.Address))
        {
            await tab.UntilAsync(Start);
            await tab.UntilAsync("document.querySelectorAll('.version .change').length === 4");
            await GoAsync(tab, "Documents", "Accounts.ods");
            await tab.PressAsync(" ");
            await GoAsync(tab, "Documents", "Letter to the bank.txt");
            await tab.PressAsync(" ");
            await tab.ClickAsync("#details button", "Preview");
            await tab.UntilAsync("document.querySelector('pre.preview') && document.querySelector('#details').innerText.includes('To fetch')");
            await ShootAsync(tab, "browse-files.png");
            await tab.ClickAsync("footer button", "Clear");
            await GoAsync(tab, "Photos", "Summer by the lake");
            await tab.PressAsync(" ");
            await tab.ClickAsync("#plan");
            await tab.ClickAsync("#start");
            await tab.UntilAsync("document.querySelector('footer progress')?.value > 1000000 && document.querySelector('.curve').getAttribute('d')");
            await tab.SetDarkAsync(true);
            await ShootAsync(tab, "browse-restore.png");
            await tab.ClickAsync("#stop");
            await tab.UntilAsync("document.querySelector('footer').innerText.includes('Stopped')");
        }

        await using Tab health = await page.Browser.OpenAsync(new Uri(page.DamagedAddress, "#/health"));
        await CheckAsync(health);
        await health.ClickAsync(".volumes .missing");
        await health.UntilAsync("document.querySelector('.dependents')?.innerText.includes('Letter to the bank.txt')");
        await ShootAsync(health, "browse-health.png");
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
        Assert.InRange(picture.Length, 10_000, 150_000);
        if (PageBackup.ScreenshotFolder is string folder)
        {
            await File.WriteAllBytesAsync(Path.Join(folder, name), picture, TestContext.Current.CancellationToken);
        }
    }

    private static async Task FocusListAsync(Tab tab)
    {
        for (int i = 0; i < 40 && (string?)await tab.EvalAsync("document.activeElement.getAttribute('role')") != "grid"; i++)
        {
            await tab.PressAsync("Tab");
        }
    }

    private static async Task WalkToAsync(Tab tab, string name)
    {
        await tab.PressAsync("Home");
        for (int i = 0; i < 40; i++)
        {
            JsonNode? active = await tab.EvalAsync("document.querySelector('.row[aria-selected=true] .name')?.firstChild?.data");
            if ((string?)active == name)
            {
                return;
            }

            await tab.PressAsync("ArrowDown");
        }

        Assert.Fail($"{name} is not in the list");
    }

    /// <summary>Goes to a folder below that of the person, and to an entry of it in the list.</summary>
    private async Task GoAsync(Tab tab, string folder, string name, int version = 0)
    {
        await tab.UntilAsync(Start);
        string path = Path.Join(page.Source, folder, name);
        string find = $"api/find?version={version}&path={Uri.EscapeDataString(path)}";
        JsonNode place = (await tab.EvalAsync($"fetch({Tab.Quote(find)}).then(one => one.json())"))!;
        await tab.GoAsync($"#/{version}/{place["folder"]}/{place["id"]}");
        await tab.UntilAsync($"document.querySelector('.row[aria-selected=true] .name')?.firstChild?.data === {Tab.Quote(name)}");
        await tab.UntilAsync($"document.querySelector('#details .name-of')?.innerText === {Tab.Quote(name)}");
        await tab.EvalAsync("document.querySelector('.scroll').focus()");
    }
}
