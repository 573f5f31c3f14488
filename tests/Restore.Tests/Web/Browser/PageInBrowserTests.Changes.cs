namespace Restore.Tests.Web.Browser;

/// <content>What changed: in a version, and in a text.</content>
public sealed partial class PageInBrowserTests
{
    [Fact]
    public async Task The_files_that_changed_in_a_version_are_named_compared_by_line_and_lead_to_their_place()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.LookingAddress);
        await tab.UntilAsync(Start);
        await tab.UntilAsync("document.querySelectorAll('.change').length === 4");
        await tab.ClickAsync("#what-changed");
        await tab.UntilAsync("document.querySelectorAll('dialog .changed li').length === 3");
        Assert.Equal(
            "changed Accounts.ods, changed Letter to the bank.txt, removed Shopping.txt",
            (string?)
                await tab.EvalAsync(
                    """
                    [...document.querySelectorAll('.changed li')]
                      .map(li => `${li.querySelector('.heard').textContent} ${li.querySelector('bdi').textContent.split('/').at(-1)}`).join(', ')
                    """
                )
        );
        await tab.ClickAsync("dialog .changed li:nth-child(2) button.lines");
        await tab.UntilAsync("document.querySelectorAll('dialog .line').length === 5");
        Assert.True(
            (bool)(
                await tab.EvalAsync(
                    "[...document.querySelectorAll('dialog')].every(one =>"
                        + " one.querySelector('h2') === document.getElementById(one.getAttribute('aria-labelledby')))"
                )
            )!
        );
        Assert.Equal(
            "-Draft 4 +Draft 5",
            (string?)
                await tab.EvalAsync(
                    """
                    ['removed', 'added'].map(kind => [...document.querySelectorAll(`.line.${kind}`)]
                      .map(line => line.querySelector('.sign').textContent + line.lastChild.textContent)).join(' ')
                    """
                )
        );
        Assert.Contains(
            "1 line added, 1 line removed",
            await tab.TextAsync("[...document.querySelectorAll('dialog')].at(-1)"),
            StringComparison.Ordinal
        );
        await tab.PressAsync("Escape");
        await tab.UntilAsync("document.querySelectorAll('dialog').length === 1");
        await tab.ClickAsync("dialog .changed li:nth-child(1) button.lines");
        await tab.UntilAsync("document.querySelector('dialog [role=alert]')?.innerText.includes('is not text')");
        await tab.PressAsync("Escape");
        await tab.UntilAsync("document.querySelectorAll('dialog').length === 1");

        // What was removed is in the version before.
        await tab.ClickAsync("dialog .changed li:nth-child(3) .plain");
        await tab.UntilAsync("!document.querySelector('dialog') && location.hash.startsWith('#/1/')");
        await tab.UntilAsync("document.querySelector('#details .name-of')?.innerText === 'Shopping.txt'");
    }

    [Fact]
    public async Task The_history_of_a_text_compares_each_content_with_the_one_before()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.LookingAddress);
        await GoAsync(tab, "Documents", "Letter to the bank.txt");
        await tab.UntilAsync("document.querySelectorAll('.spans .compare').length === 4");
        await tab.ClickAsync(".spans li:nth-child(4) .compare");
        await tab.UntilAsync("document.querySelector('dialog .line.added')?.innerText.includes('Draft 2')");
        Assert.Contains(
            "Draft 1",
            await tab.TextAsync("document.querySelector('.line.removed')"),
            StringComparison.Ordinal
        );
        await tab.PressAsync("Escape");
        await tab.UntilAsync("!document.querySelector('dialog')");
    }

    [Theory]
    [InlineData("a b c", "a x c", " a|-b|+x| c")]
    [InlineData("", "x", "+x")]
    [InlineData("x", "", "-x")]
    [InlineData("a b c d", "b c x d e", "-a| b| c|+x| d|+e")]
    public async Task Two_texts_are_compared_by_the_lines_that_both_have(string before, string after, string steps)
    {
        await using Tab tab = await page.Browser.OpenAsync(page.LookingAddress);
        await tab.UntilAsync(Start);
        await tab.EvalAsync(
            $$"""
            import('./lines.js').then(({ compareLines }) => {
              const lines = text => text.split(' ').filter(Boolean);
              const steps = compareLines(lines({{Tab.Quote(before)}}), lines({{Tab.Quote(after)}}));
              globalThis.compared = steps.map(step => step.join('')).join('|');
            });
            0
            """
        );
        await tab.UntilAsync("globalThis.compared");
        Assert.Equal(steps, (string?)await tab.EvalAsync("compared"));
    }
}
