using Restore.Storage.Local;
using Restore.Web;

namespace Restore.Tests.Web.Browser;

/// <content>
/// What stands where: on screens of three widths, and while lists are still being read.
/// </content>
public sealed partial class PageInBrowserTests
{
    private const string Tops =
        "[...document.querySelectorAll('.version')].map(one => Math.round(one.getBoundingClientRect().top)).join()";

    [Fact]
    public async Task On_a_phone_no_version_of_the_timeline_covers_another()
    {
        await using BackupOfManyVersions many = await BackupOfManyVersions.MakeAsync();
        await using BrowseServer server = await many.ServeAsync();
        await using Tab tab = await page.Browser.OpenAsync(server.Address);
        await tab.UntilAsync(Start);
        await tab.BecomePhoneAsync();
        await tab.UntilAsync("innerWidth === 390 && document.querySelectorAll('.version').length === 14");
        await tab.UntilAsync("document.querySelectorAll('.period').length > 1");
        Assert.Equal(
            "",
            (string?)
                await tab.EvalAsync(
                    """
                    [...document.querySelectorAll('.version')].map(one => [one.innerText, one.getBoundingClientRect()])
                      .filter(([, at], i, all) => i > 0 && at.left < all[i - 1][1].right - 1).map(([text]) => text).join()
                    """
                )
        );
        await LookAsync(tab, "phone");
    }

    [Theory]
    [InlineData(768, 900)]
    [InlineData(1280, 800)]
    public async Task The_timeline_shows_all_of_what_it_says_and_has_no_horizontal_scroll_bar(int width, int height)
    {
        await using BackupOfManyVersions many = await BackupOfManyVersions.MakeAsync();
        await using BrowseServer server = await many.ServeAsync();
        await using Tab tab = await page.Browser.OpenAsync(server.Address);
        await tab.UntilAsync(Start);
        await tab.SetSizeAsync(width, height);
        await tab.UntilAsync($"innerWidth === {width} && document.querySelectorAll('.change').length === 13");
        const string TooWide = """
            [...document.querySelectorAll('nav#versions, nav#versions .timeline-head, nav#versions .timeline-head :is(button, p, h2), .version .when')]
              .filter(one => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0).map(one => one.outerHTML.slice(0, 100)).join()
            """;
        Assert.Equal("", (string?)await tab.EvalAsync(TooWide));
        await LookAsync(tab, $"before-{width}");
        await tab.ClickAsync("#assess");
        await tab.UntilAsync("document.querySelector('#last-good')");
        Assert.Equal("", (string?)await tab.EvalAsync(TooWide));
        Assert.DoesNotMatch("Version [0-9]", await tab.TextAsync("document.querySelector('#advice')"));

        await LookAsync(tab, $"verdicts-{width}");

        // The time of a version is one line, and several are in sight, also beside open details.
        await tab.EvalAsync("document.querySelector('.verdicts details').open = false");
        Assert.True(
            (bool)
                (
                    await tab.EvalAsync(
                        "[...document.querySelectorAll('.version .when')].every(one => one.getBoundingClientRect().height < 30)"
                    )
                )!
        );
        Assert.True(
            (double)(await tab.EvalAsync("document.querySelector('nav#versions').clientHeight / innerHeight"))! > 0.6
        );
        await LookAsync(tab, $"after-{width}");
    }

    [Fact]
    public async Task A_version_stays_where_it_is_while_lists_are_read_and_a_file_is_chosen()
    {
        await using HeldStore store = new(
            new LocalFolderStore(page.Location),
            "20260304",
            "20260308",
            "20260312",
            "20260316"
        );
        await using Backup backup = await Backup.OpenAsync(store);
        await using BrowseServer server = await BrowseServer.StartAsync(
            backup,
            cancellationToken: TestContext.Current.CancellationToken
        );
        await using Tab tab = await page.Browser.OpenAsync(server.Address);
        await tab.UntilAsync("document.querySelectorAll('.version').length === 5");
        string before = (string)(await tab.EvalAsync(Tops))!;
        await tab.UntilAsync(Start);
        Assert.Equal(before, (string?)await tab.EvalAsync(Tops));
        Assert.Equal(0, (int)(await tab.EvalAsync("document.querySelectorAll('.change').length"))!);
        store.Release();
        await tab.UntilAsync("document.querySelectorAll('.change').length === 4");
        Assert.Equal(before, (string?)await tab.EvalAsync(Tops));
        await GoAsync(tab, "Documents", Letter);
        await tab.UntilAsync(
            "document.querySelector('#only-changed:enabled') && document.querySelector('.of').innerText"
        );
        Assert.Equal(before, (string?)await tab.EvalAsync(Tops));
    }

    [Fact]
    public async Task A_version_that_is_chosen_before_anything_is_shown_opens_where_its_data_begins()
    {
        await using HeldStore store = new(new LocalFolderStore(page.Location), "20260320");
        await using Backup backup = await Backup.OpenAsync(store);
        await using BrowseServer server = await BrowseServer.StartAsync(
            backup,
            cancellationToken: TestContext.Current.CancellationToken
        );
        await using Tab tab = await page.Browser.OpenAsync(server.Address);
        await tab.UntilAsync("document.querySelectorAll('.version').length === 5");
        await tab.ClickAsync(ThatTuesday);
        await tab.UntilAsync("location.hash.startsWith('#/2')");
        store.Release();
        await tab.UntilAsync("document.querySelector('.path [aria-current=location]')?.innerText === 'ann'");
        Assert.StartsWith("#/2", (string?)await tab.EvalAsync("location.hash"), StringComparison.Ordinal);
        await tab.UntilAsync("document.querySelector(\".version[data-version='2']\").ariaCurrent === 'true'");
    }

    [Fact]
    public async Task A_version_that_is_chosen_while_a_folder_is_read_opens_that_folder()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.LookingAddress);
        await tab.UntilAsync(Start);
        await tab.EvalAsync(
            """
            (real => {
              const held = new Promise(resume => { globalThis.release = resume; });
              globalThis.fetch = async (address, ...rest) => {
                await (String(address).includes('count=') && !String(address).includes('count=1&') && !String(address).endsWith('count=1') ? held : null);
                return real(address, ...rest);
              };
            })(fetch)
            """
        );
        await tab.ClickAsync(".row .enter", "Documents");
        await tab.UntilAsync("/^#\\/0\\/\\d+$/.test(location.hash)");
        await tab.ClickAsync(ThatTuesday);
        await tab.UntilAsync("location.hash.startsWith('#/2/')");
        await tab.EvalAsync("release()");
        await tab.UntilAsync("document.querySelector('.path [aria-current=location]')?.innerText === 'Documents'");
    }

    [Theory]
    [InlineData(1280, 800)]
    [InlineData(390, 844)]
    public async Task A_window_of_many_changes_scrolls_only_its_list(int width, int height)
    {
        await using BackupOfManyVersions many = await BackupOfManyVersions.MakeAsync();
        await using BrowseServer server = await many.ServeAsync();
        await using Tab tab = await page.Browser.OpenAsync(server.Address);
        await tab.UntilAsync(Start);
        await tab.UntilAsync("document.querySelectorAll('.change').length === 13");
        await tab.SetSizeAsync(width, height);
        await tab.ClickAsync("#what-changed");
        await tab.UntilAsync("document.querySelectorAll('dialog .changed li').length === 254");
        await LookAsync(tab, $"changes-{width}");
        Assert.True(
            (bool)
                (
                    await tab.EvalAsync(
                        """
                        (dialog => {
                          dialog.scrollTop = 5000;
                          const list = dialog.querySelector('.changes');
                          list.scrollTop = 1e6;
                          return dialog.scrollTop === 0 && list.scrollHeight > 2 * list.clientHeight && list.clientHeight > innerHeight / 3
                            && [...dialog.querySelectorAll('.actions button')].at(-1).getBoundingClientRect().bottom < dialog.getBoundingClientRect().bottom;
                        })(document.querySelector('dialog'))
                        """
                    )
                )!
        );
        await tab.ClickAsync("dialog .main", "Close");
        Assert.Equal(
            0,
            (int)
                (
                    await tab.EvalAsync(
                        "Math.max(0, document.documentElement.scrollHeight - innerHeight, document.body.scrollHeight - innerHeight)"
                    )
                )!
        );
    }

    [Fact]
    public async Task A_jump_to_a_day_brings_its_version_into_sight_and_says_if_there_is_none()
    {
        await using BackupOfManyVersions many = await BackupOfManyVersions.MakeAsync();
        await using BrowseServer server = await many.ServeAsync();
        await using Tab tab = await page.Browser.OpenAsync(server.Address);
        await tab.UntilAsync(Start);
        await tab.UntilAsync("document.querySelectorAll('.change').length === 13");
        await tab.SetSizeAsync(1280, 800);
        static string JumpTo(string day) =>
            $$"""
                (jump => { jump.value = '{{day}}'; jump.dispatchEvent(new Event('change')); })(document.querySelector('#jump'))
                """;
        await tab.EvalAsync(JumpTo(many.DayOf(13)));
        await tab.UntilAsync("document.querySelector(\".version[data-version='13']\").ariaCurrent === 'true'");
        await tab.UntilAsync(
            "(at => at.top >= 0 && at.bottom <= innerHeight)(document.querySelector('.version[aria-current=true]').getBoundingClientRect())"
        );
        string shown = (string)
            (await tab.EvalAsync("document.querySelector('.version[aria-current=true] .when').innerText"))!;
        await tab.UntilAsync($"document.querySelector('.path .of').innerText === {Tab.Quote(shown)}");
        await LookAsync(tab, "jump");
        await tab.EvalAsync(JumpTo("2001-02-03"));
        await tab.UntilAsync(
            "document.querySelector('#status.error')?.innerText.startsWith('There is no version of 2001-02-03 or before')"
        );
        Assert.StartsWith("#/13/", (string?)await tab.EvalAsync("location.hash"), StringComparison.Ordinal);
    }

    /// <summary>For the eye, if the variable RESTORE_LOOK names a folder.</summary>
    private static async Task LookAsync(Tab tab, string name)
    {
        if (Environment.GetEnvironmentVariable("RESTORE_LOOK") is { Length: > 0 } look)
        {
            await File.WriteAllBytesAsync(
                Path.Join(look, $"{name}.png"),
                await tab.ScreenshotAsync(),
                TestContext.Current.CancellationToken
            );
        }
    }
}
