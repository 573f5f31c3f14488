using System.Text;

namespace Restore.Tests.Web.Browser;

/// <content>Keys, and what a preview takes for text, sound and video.</content>
public sealed partial class PageInBrowserTests
{
    [Fact]
    public async Task Keys_lead_to_the_search_to_a_letter_pick_ranges_and_everything_and_leave_again()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.Address);
        await GoAsync(tab, "Documents", "Accounts.ods");
        await tab.EvalAsync("document.querySelector('.scroll').focus()");
        await tab.PressAsync("t");
        await tab.UntilAsync("document.querySelector('.row.active .name')?.innerText.startsWith('Taxes')");
        await tab.PressAsync("Home");
        await tab.PressWithAsync(KeyModifier.Shift, "ArrowDown", "ArrowDown");
        await tab.UntilAsync("document.querySelectorAll('.row[aria-selected=true]').length === 3");
        await tab.ClickAsync("#clear");
        await tab.EvalAsync("document.querySelector('.scroll').focus()");
        await tab.PressWithAsync(KeyModifier.Control, "a");
        await tab.UntilAsync("document.querySelector('#pick-all').ariaChecked === 'true'");
        await tab.PressWithAsync(KeyModifier.Control, "a");
        await tab.UntilAsync("document.querySelector('#picked').innerText === 'Nothing picked yet'");
        await tab.PressAsync("/");
        Assert.Equal("search", (string?)await tab.EvalAsync("document.activeElement.id"));
        await tab.TypeAsync("garden");
        await tab.UntilAsync($"{Rows}.length === 1 && location.hash === '#/find'");
        await tab.PressAsync("Escape");
        await tab.UntilAsync(
            "document.querySelector('.path [aria-current=location]')?.innerText === 'Documents' && document.querySelector('#search').value === ''"
        );
    }

    [Fact]
    public async Task A_text_in_UTF_16_or_Latin_1_is_text_and_bytes_are_none()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.LookingAddress);
        await tab.UntilAsync(Start);
        Assert.Equal("utf-8", await EncodingAsync(tab, "Grüße, 😀"u8.ToArray()));
        Assert.Equal("utf-8", await EncodingAsync(tab, "Grüße"u8[..3].ToArray()));
        Assert.Equal("windows-1252", await EncodingAsync(tab, Encoding.Latin1.GetBytes("Grüße aus Köln")));
        Assert.Equal("utf-16le", await EncodingAsync(tab, [0xFF, 0xFE, .. Encoding.Unicode.GetBytes("Grüße")]));
        Assert.Equal("utf-16be", await EncodingAsync(tab, Encoding.BigEndianUnicode.GetBytes("Dear Sir or Madam")));
        Assert.Equal("utf-16le", await EncodingAsync(tab, Encoding.Unicode.GetBytes("Dear Sir or Madam")));
        byte[] bytes = new byte[2000];
        new Random(3).NextBytes(bytes);
        Assert.Null(await EncodingAsync(tab, bytes));
    }

    [Fact]
    public async Task A_sound_is_played_from_its_bytes_and_what_is_none_says_so()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.LookingAddress);
        await tab.UntilAsync(Start);

        // The details of the first row take the place of what is shown before them.
        await tab.UntilAsync("document.querySelector('#details').innerText.includes('To fetch')");
        const string Preview = """
            (async content => {
              const fetched = globalThis.fetch;
              globalThis.fetch = (address, options) => String(address).startsWith('file?') ? Promise.resolve(new Response(content)) : fetched(address, options);
              const { previewOf } = await import('./preview.js');
              document.querySelector('#details').replaceChildren(await previewOf({ id: 1, name: 'note.wav', bytes: content.length }, 0));
            })
            """;

        // A second of silence: the head of a WAV file, then 8,000 samples of 8 bits.
        const string Wave = """
            Uint8Array.from([...'RIFF', 100, 31, 0, 0, ...'WAVEfmt ', 16, 0, 0, 0, 1, 0, 1, 0, 64, 31, 0, 0, 64, 31, 0, 0, 1, 0, 8, 0, ...'data', 64, 31, 0, 0,
              ...Array(8000).fill(128)].map(one => typeof one === 'string' ? one.charCodeAt(0) : one))
            """;
        await tab.EvalAsync($"{Preview}({Wave})");
        await tab.UntilAsync("document.querySelector('audio.preview')?.duration === 1");
        await tab.EvalAsync($"{Preview}(Uint8Array.from([1, 2, 3]))");
        await tab.UntilAsync("document.querySelector('#details .error')?.innerText.includes('not a sound')");
    }

    [Fact]
    public async Task A_range_has_the_rows_of_pages_that_were_never_in_view_and_another_list_has_its_own()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.LookingAddress);
        await tab.UntilAsync(Start);
        Assert.Equal(
            "901 row 50 to row 950; 3 row 0 to row 2",
            (string?)
                await tab.EvalAsync(
                    """
                    import('./list.js').then(async ({ VirtualList }) => {
                      const picked = [];
                      const load = async (offset, count) => ({
                        rows: Array.from({ length: Math.min(count, 1000 - offset) }, (_, i) => ({ id: offset + i, name: `row ${offset + i}` })), total: 1000,
                      });
                      const list = new VirtualList({
                        label: 'Rows', head: document.createElement('div'), load, cells: row => [row.name], stateOf: () => '', isPicked: () => false,
                        pickRange: rows => picked.push(`${rows.length} ${rows[0].name} to ${rows.at(-1).name}`),
                      });
                      document.querySelector('#details').replaceChildren(list.scroll);
                      await list.reset();
                      await list.goTo(50, false);
                      await list.goTo(950, true);
                      await list.reset();
                      await list.goTo(2, true);
                      return picked.join('; ');
                    })
                    """
                )
        );
    }

    [Fact]
    public async Task The_row_before_or_after_is_found_in_pages_that_were_never_in_view()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.LookingAddress);
        await tab.UntilAsync(Start);
        Assert.Equal(
            "8800 8600 9000 -1 -1",
            (string?)
                await tab.EvalAsync(
                    """
                    import('./list.js').then(async ({ VirtualList }) => {
                      const load = async (offset, count) => ({
                        rows: Array.from({ length: Math.min(count, 10000 - offset) }, (_, i) => ({ id: offset + i, name: `row ${offset + i}` })), total: 10000,
                      });
                      const list = new VirtualList({
                        label: 'Rows', head: document.createElement('div'), load, cells: row => [row.name], stateOf: () => '', isPicked: () => false,
                      });
                      document.querySelector('#details').replaceChildren(list.scroll);
                      await list.reset();
                      const isSought = row => row.id % 200 === 0;
                      const found = [];
                      for (const [from, by] of [[8999, -1], [8800, -1], [8800, 1], [0, -1], [9900, 1]]) {
                        found.push(await list.indexBeside(from, by, isSought));
                      }

                      return found.join(' ');
                    })
                    """
                )
        );
    }

    [Fact]
    public async Task A_preview_that_is_closed_is_not_fetched_on()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.LookingAddress);
        await GoAsync(tab, "Documents", Letter);
        await tab.UntilAsync("document.querySelector('#look')");
        await tab.EvalAsync(
            """
            {
              const fetched = globalThis.fetch;
              globalThis.fetch = (address, options) => {
                if (!String(address).startsWith('file?')) {
                  return fetched(address, options);
                }

                globalThis.asked = options.signal;
                return new Promise((_, reject) => options.signal.addEventListener('abort', () => reject(options.signal.reason)));
              };
            }
            """
        );
        await tab.ClickAsync("#look");
        await tab.UntilAsync("globalThis.asked?.aborted === false");
        await tab.ClickAsync("#look");
        await tab.UntilAsync("globalThis.asked.aborted");
        Assert.Equal(
            0,
            (int)(await tab.EvalAsync("document.querySelectorAll('#details .error, #details .preview').length"))!
        );
    }

    private static async Task<string?> EncodingAsync(Tab tab, byte[] start) =>
        (string?)
            await tab.EvalAsync(
                $"import('./preview.js').then(module => module.encodingOf(new Uint8Array([{string.Join(',', start)}])))"
            );
}
