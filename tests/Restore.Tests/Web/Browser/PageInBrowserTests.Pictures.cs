using System.IO.Compression;
using System.Text;
using Restore.Web;

namespace Restore.Tests.Web.Browser;

/// <content>The text of documents, and small pictures in lists.</content>
public sealed partial class PageInBrowserTests
{
    private const string Sheet = """
        <worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1"><v>3.5</v></c></row>
        <row r="2"><c r="A2" t="inlineStr"><is><t>Rent</t></is></c><c r="B2" t="b"><v>1</v></c></row>
        <row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3" t="s"><v>2</v></c></row></sheetData></worksheet>
        """;

    /// <summary>Answers what is asked for of files with a content, and counts.</summary>
    private const string Answering = """
        (content => {
          const fetched = globalThis.fetch;
          globalThis.asked = 0;
          globalThis.fetch = (address, options) => !String(address).startsWith('file?') ? fetched(address, options)
            : (globalThis.asked++, Promise.resolve(new Response(Uint8Array.from(atob(content), one => one.charCodeAt(0)))));
        })
        """;

    [Fact]
    public async Task The_text_of_documents_is_previewed_and_nothing_else_of_them_is_read()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.LookingAddress);
        await tab.UntilAsync(Start);
        await tab.UntilAsync("document.querySelector('#details').innerText.includes('To fetch')");
        const string Word =
            "<w:document><w:body><w:p><w:pPr><w:tabs><w:tab w:val=\"left\" w:pos=\"720\"/></w:tabs></w:pPr>"
            + "<w:r><w:t>Dear &amp; Sir,</w:t><w:tab/><w:t>1 &#8364;</w:t></w:r></w:p>"
            + "<w:p><w:r><w:delText>gone</w:delText></w:r><w:r><w:t>&lt;script&gt;</w:t></w:r></w:p>"
            + "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>A</w:t></w:r></w:p></w:tc>"
            + "<w:tc><w:p><w:r><w:t>B</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>";
        Assert.Equal(
            "Dear & Sir,\t1 €\n<script>\nA\tB",
            await TextOfAsync(tab, "letter.docx", ("word/document.xml", Word))
        );
        Assert.Equal(
            "Title\nOne   two",
            await TextOfAsync(
                tab,
                "letter.odt",
                (
                    "content.xml",
                    "<office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h>Title</text:h>\n"
                        + "<text:p>One<text:s text:c=\"3\"/>two</text:p></office:text>"
                )
            )
        );
        Assert.Equal(
            "[Taxes]\nName\t\t3.5\nRent\tTRUE\n\tend",
            await TextOfAsync(
                tab,
                "taxes.xlsx",
                ("xl/workbook.xml", "<workbook><sheet name=\"Taxes\" r:id=\"rId1\"/></workbook>"),
                (
                    "xl/_rels/workbook.xml.rels",
                    "<Relationships><Relationship Id=\"rId1\" Target=\"worksheets/sheet1.xml\"/></Relationships>"
                ),
                ("xl/sharedStrings.xml", "<sst><si><r><t>Na</t></r><r><t>me</t></r></si><si/><si><t>end</t></si></sst>"),
                ("xl/worksheets/sheet1.xml", Sheet)
            )
        );
        Assert.Equal(
            "[Slide 2]\ntwo\n\n[Slide 10]\nten",
            await TextOfAsync(
                tab,
                "talk.pptx",
                ("ppt/slides/slide10.xml", "<p:sld><a:p><a:t>ten</a:t></a:p></p:sld>"),
                ("ppt/slides/slide2.xml", "<p:sld><a:p><a:t>two</a:t></a:p></p:sld>")
            )
        );
    }

    [Fact]
    public async Task A_document_of_an_attacker_ends_where_the_limits_are()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.LookingAddress);
        await tab.UntilAsync(Start);
        await tab.UntilAsync("document.querySelector('#details').innerText.includes('To fetch')");

        // A hundred million spaces, an entity, comments without an end, and no zip at all.
        Assert.Equal(
            "start",
            await TextOfAsync(
                tab,
                "a.docx",
                ("word/document.xml", "<w:p><w:t>start</w:t></w:p>" + new string(' ', 100_000_000))
            )
        );
        Assert.Contains("The start of its text", await tab.TextAsync("document.querySelector('#details')"));
        Assert.StartsWith(
            "The document cannot be read",
            await TextOfAsync(
                tab,
                "a.docx",
                ("word/document.xml", "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><w:t>&b;</w:t>")
            ),
            StringComparison.Ordinal
        );
        Assert.Equal(
            "ok",
            await TextOfAsync(
                tab,
                "a.docx",
                ("word/document.xml", "<w:p><w:t>ok</w:t></w:p>" + string.Concat(Enumerable.Repeat("<!--", 2_000_000)))
            )
        );
        Assert.StartsWith(
            "The document cannot be read",
            await PreviewAsync(tab, "a.docx", "PK\x05\x06 nothing of a zip"u8.ToArray()),
            StringComparison.Ordinal
        );
        Assert.StartsWith(
            "A PDF is not shown here",
            await PreviewAsync(tab, "a.pdf", "%PDF-1.4"u8.ToArray()),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Small_pictures_are_asked_for_by_a_click_and_of_rows_in_view_alone()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.LookingAddress);
        await GoAsync(tab, "Photos/Summer by the lake", "IMG_2041.jpg");
        await tab.UntilAsync("document.querySelector('#thumbnails')");
        await tab.SetSizeAsync(1280, 500);
        await tab.EvalAsync($"{Answering}({Tab.Quote(Convert.ToBase64String(PageBackup.Picture(90)))})");
        Assert.Equal("false", (string?)await PressedAsync());
        Assert.Equal(0, (int)(await tab.EvalAsync("document.querySelectorAll('.thumbnail').length"))!);
        await tab.ClickAsync("#thumbnails");
        await tab.UntilAsync(
            "document.querySelectorAll('.thumbnail').length > 0 && !document.querySelector('.thumbnail .icon')"
        );
        Assert.Equal("true", (string?)await PressedAsync());
        Assert.Equal(
            (int)(await tab.EvalAsync("document.querySelectorAll('.thumbnail canvas').length"))!,
            (int)(await tab.EvalAsync("asked"))!
        );
        Assert.InRange((int)(await tab.EvalAsync("asked"))!, 3, 20);
        Assert.True(
            (bool)(await tab.EvalAsync("document.querySelector('.row').getBoundingClientRect().height >= 48"))!
        );
        await tab.EvalAsync("document.querySelector('.scroll').scrollTop = 1e6");
        await tab.UntilAsync(
            "document.querySelector('.row:last-child .name').innerText === 'IMG_2064.jpg' && !document.querySelector('.thumbnail .icon')"
        );
        Assert.InRange((int)(await tab.EvalAsync("asked"))!, 4, 24);
        await tab.ClickAsync("#thumbnails");
        await tab.UntilAsync("document.querySelector('.row .icon') && !document.querySelector('.thumbnail')");

        // Of a version that is looked at again, nothing is asked for twice.
        int asked = (int)(await tab.EvalAsync("asked"))!;
        await tab.ClickAsync("#thumbnails");
        await tab.UntilAsync(
            "document.querySelectorAll('.thumbnail').length > 0 && !document.querySelector('.thumbnail .icon')"
        );
        Assert.Equal(asked, (int)(await tab.EvalAsync("asked"))!);

        async Task<object?> PressedAsync() =>
            (string?)await tab.EvalAsync("document.querySelector('#thumbnails').getAttribute('aria-pressed')");
    }

    [Fact]
    public async Task A_store_with_free_reads_shows_small_pictures_at_once_and_what_is_none_keeps_its_icon()
    {
        await using Backup backup = await Backup.OpenAsync(
            page.Location,
            cancellationToken: TestContext.Current.CancellationToken
        );
        await using BrowseServer server = await BrowseServer.StartAsync(
            backup,
            new BrowseOptions { HasFreeReads = true },
            TestContext.Current.CancellationToken
        );
        await using Tab tab = await page.Browser.OpenAsync(server.Address);
        await GoAsync(tab, "Photos/Summer by the lake", "IMG_2041.jpg");
        await tab.UntilAsync(
            "document.querySelector('#thumbnails[aria-pressed=true]') && document.querySelectorAll('.thumbnail .icon').length > 3"
        );

        // The photos of this backup are no pictures; the one above them is.
        await tab.UntilAsync(
            "performance.getEntriesByType('resource').filter(one => one.name.includes('file?')).length > 3"
        );
        Assert.Equal(0, (int)(await tab.EvalAsync("document.querySelectorAll('.thumbnail canvas').length"))!);
    }

    [Fact]
    public async Task A_picture_is_shown_large_with_the_one_before_and_the_next()
    {
        await using Tab tab = await page.Browser.OpenAsync(page.LookingAddress);
        await GoAsync(tab, "Photos/Summer by the lake", "IMG_2041.jpg");
        await tab.EvalAsync($"{Answering}({Tab.Quote(Convert.ToBase64String(PageBackup.Picture(30)))})");
        await tab.ClickAsync("#look");
        await tab.UntilAsync("document.querySelector('img.preview')?.naturalWidth === 64");
        await tab.ClickAsync(".enlarge");
        await UntilShownAsync("IMG_2041.jpg");
        await tab.PressAsync("ArrowRight");
        await UntilShownAsync("IMG_2042.jpg");
        await tab.ClickAsync("#next");
        await UntilShownAsync("IMG_2043.jpg");
        await tab.ClickAsync("#before");
        await UntilShownAsync("IMG_2042.jpg");
        await tab.ClickAsync("#before");
        await UntilShownAsync("IMG_2041.jpg");
        await tab.ClickAsync("#before");
        await tab.UntilAsync(
            "document.querySelector('.large [role=status]').innerText.startsWith('No picture before')"
        );
        await tab.PressAsync("Escape");
        await tab.UntilAsync("!document.querySelector('dialog')");
        Assert.Equal("IMG_2041.jpg", await tab.TextAsync("document.querySelector('#details .name-of')"));

        Task UntilShownAsync(string name) =>
            tab.UntilAsync(
                $"document.querySelector('.large img')?.alt === {Tab.Quote(name)} && document.querySelector('.large img').naturalWidth === 64"
            );
    }

    private static async Task<string?> TextOfAsync(Tab tab, string name, params (string Name, string Text)[] parts)
    {
        using MemoryStream zip = new();
        await using (ZipArchive archive = new(zip, ZipArchiveMode.Create, leaveOpen: true))
        {
            foreach ((string part, string text) in parts)
            {
                await using Stream entry = await archive
                    .CreateEntry(part)
                    .OpenAsync(TestContext.Current.CancellationToken);
                await entry.WriteAsync(Encoding.UTF8.GetBytes(text), TestContext.Current.CancellationToken);
            }
        }

        return await PreviewAsync(tab, name, zip.ToArray());
    }

    /// <summary>The text of the preview, or of its failure.</summary>
    private static async Task<string?> PreviewAsync(Tab tab, string name, byte[] content) =>
        (string?)
            await tab.EvalAsync(
                $$"""
                (async () => {
                  const fetched = globalThis.fetch;
                  const content = Uint8Array.from(atob({{Tab.Quote(
                    Convert.ToBase64String(content)
                )}}), one => one.charCodeAt(0));
                  globalThis.fetch = (address, options) => String(address).startsWith('file?')
                    ? Promise.resolve(new Response(content)) : fetched(address, options);
                  try {
                    const { previewOf } = await import('./preview.js');
                    const shown = [await previewOf({ id: 1, name: {{Tab.Quote(
                    name
                )}}, bytes: content.length }, 0)].flat();
                    document.querySelector('#details').replaceChildren(...shown);
                    return shown[0].textContent;
                  } catch (failure) {
                    return failure.message;
                  } finally {
                    globalThis.fetch = fetched;
                  }
                })()
                """
            );
}
