using System.Text;
using Restore.Storage;
using Restore.Storage.Http;
using Restore.Storage.WebDav;

namespace Restore.Tests.Storage;

public sealed class WebDavListingTests
{
    private const string Start = "<?xml version=\"1.0\"?><D:multistatus xmlns:D=\"DAV:\">";
    private const string End = "</D:multistatus>";

    [Fact]
    public async Task Names_and_sizes_are_read_whatever_the_prefix_and_the_order()
    {
        string xml = """
            <?xml version="1.0" encoding="utf-8"?>
            <multistatus xmlns="DAV:" xmlns:x="urn:other">
              <response><href>/dav/f/</href><propstat><prop><resourcetype><collection/></resourcetype></prop></propstat></response>
              <response>
                <propstat><prop><x:getcontentlength>9</x:getcontentlength><getcontentlength>17</getcontentlength><resourcetype/></prop></propstat>
                <href>http://h/dav/f/a%20b.zip</href>
              </response>
              <response><href>/dav/f/b.zip</href>
                <propstat><prop><getcontentlength>5</getcontentlength></prop><status>HTTP/1.1 200 OK</status></propstat></response>
            </multistatus>
            """;

        Assert.Equal([new("a b.zip", 17), new("b.zip", 5)], await ReadAsync(xml));
    }

    [Fact]
    public async Task A_file_without_a_size_is_not_an_empty_file()
    {
        string xml =
            Start
            + "<D:response><D:href>/dav/f/a.zip</D:href><D:propstat><D:prop><D:resourcetype/></D:prop></D:propstat></D:response>"
            + "<D:response><D:href>/dav/f/b.zip</D:href><D:propstat><D:prop><D:getcontentlength/></D:prop></D:propstat></D:response>"
            + "<D:response><D:href>/dav/f/c.zip</D:href><D:propstat><D:prop><D:getcontentlength>0</D:getcontentlength></D:prop></D:propstat></D:response>"
            + End;

        Assert.Equal(
            [new("a.zip", WebDavListing.NoSize), new("b.zip", WebDavListing.NoSize), new("c.zip", 0)],
            await ReadAsync(xml)
        );
    }

    [Fact]
    public async Task A_document_type_is_refused()
    {
        string bomb = "<!DOCTYPE m [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]>";

        await Assert.ThrowsAsync<TransientStoreException>(() =>
            ReadAsync($"{bomb}{Start[21..]}<D:response><D:href>&b;</D:href></D:response>{End}")
        );
    }

    [Fact]
    public async Task An_answer_that_is_cut_off_is_not_taken_for_whole()
    {
        TransientStoreException failure = await Assert.ThrowsAsync<TransientStoreException>(() =>
            ReadAsync($"{Start}<D:response><D:href>/a.zip</D:href></D:response><D:response><D:href>/b")
        );

        Assert.Contains("incomplete", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("<D:href>", "</D:href>")]
    [InlineData("<D:", "/>")]
    [InlineData("<D:href x=\"", "\"/>")]
    [InlineData("<!--", "-->")]
    public async Task No_single_entry_can_fill_the_memory(string before, string after)
    {
        string huge = new('x', 3 << 20);

        IOException failure = await Assert.ThrowsAsync<IOException>(() =>
            ReadAsync($"{Start}<D:response>{before}{huge}{after}</D:response>{End}")
        );

        Assert.Contains("too large", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Many_entries_are_read_one_by_one()
    {
        var xml = new StringBuilder(Start);
        for (int i = 0; i < 20_000; i++)
        {
            string properties = FormattableString.Invariant(
                $"<D:propstat><D:prop><D:getcontentlength>{i}</D:getcontentlength></D:prop></D:propstat>"
            );
            xml.Append("<D:response><D:href>/d/")
                .Append(i)
                .Append(".zip</D:href>")
                .Append(properties)
                .Append("</D:response>");
        }

        List<StoredFile> files = await ReadAsync(xml.Append(End).ToString());

        Assert.Equal(20_000, files.Count);
        Assert.All(files, file => Assert.Equal($"{file.SizeBytes}.zip", file.Name));
    }

    private static async Task<List<StoredFile>> ReadAsync(string xml)
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        var reader = new StoreTransfers(new TransferSettings(), TimeProvider.System);
        using var body = new ListingBody(new MemoryStream(Encoding.UTF8.GetBytes(xml)), reader, token);
        return await WebDavListing.ReadAsync(body, cancellationToken: token).ToListAsync(token);
    }
}
