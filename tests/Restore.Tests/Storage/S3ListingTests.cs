using System.Net;
using Restore.Storage;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

/// <summary>Listings that no S3 server should give, and what is said of them, at once.</summary>
public sealed class S3ListingTests
{
    private const string File = "<Contents><Key>f/a.zip</Key><Size>7</Size></Contents>";

    private int asked;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("same", "same")]
    [InlineData("1", "2")]
    public async Task A_listing_that_goes_in_a_circle_ends(string token, string next)
    {
        RestoreException failure = await ListAsync(_ =>
            Page($"{File}<NextContinuationToken>{(asked++ == 0 ? token : next)}</NextContinuationToken>", "true")
        );

        Assert.Equal(RestoreErrorCode.ListingFailed, failure.Code);
        Assert.Contains("goes in a circle", failure.Message, StringComparison.Ordinal);
        Assert.Equal(2, asked);
    }

    [Fact]
    public async Task Pages_without_files_may_follow_one_another()
    {
        await using FakeService service = new(_ =>
            (
                200,
                (asked++) switch
                {
                    < 3 => Page($"<NextContinuationToken>{asked}</NextContinuationToken>", "true"),
                    _ => Page(File, "false"),
                }
            )
        );
        await using IVolumeStore store = Open(service.Address.Authority);

        Assert.Equal([new("a.zip", 7)], await store.ListAsync(Token).ToListAsync(Token));
    }

    [Fact]
    public void Pages_without_files_do_not_follow_one_another_forever()
    {
        ListingPages pages = new();
        IOException failure = Assert.Throws<IOException>(() =>
            Enumerable.Range(0, 20_000).ToList().ForEach(page => pages.Add(null, $"{page}"))
        );
        Assert.Contains("does not end: 10,000 pages in a row are empty", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Pages_with_folders_only_do_not_follow_one_another_forever()
    {
        ListingPages pages = new();
        string folder = new('f', 1 << 20);
        IOException failure = Assert.Throws<IOException>(() =>
            Enumerable.Range(0, 100).ToList().ForEach(page => pages.Add($"{page}{folder}", $"{page}"))
        );
        Assert.Contains("does not end", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("<html>hi</html>")]
    [InlineData("<html><p>hi<br></html>")]
    [InlineData("")]
    public async Task What_is_no_listing_is_not_an_empty_folder(string body)
    {
        RestoreException failure = await ListAsync(_ => body);

        Assert.Equal(RestoreErrorCode.NotS3, failure.Code);
        Assert.StartsWith("The server does not speak S3 here", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", "does not have the size of a.zip")]
    [InlineData("<Size>-5</Size>", "does not have the size of a.zip")]
    [InlineData("<Size>99999999999999999999</Size>", "has a size that no file has")]
    public async Task A_size_that_is_not_known_is_not_0(string size, string message)
    {
        RestoreException failure = await ListAsync(_ =>
            Page($"<Contents><Key>f/a.zip</Key>{size}</Contents>", "false")
        );

        Assert.Equal(RestoreErrorCode.ListingFailed, failure.Code);
        Assert.StartsWith($"The store's listing {message}", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("307 Temporary Redirect")]
    [InlineData("301 Moved Permanently")]
    public async Task A_redirect_to_another_host_is_refused(string status)
    {
        await using FaultProxy proxy = new(
            StoreServer.FreePort(),
            new Fault { Answer = $"{status}\r\nLocation: http://localhost:1/bucket" }
        );
        await using IVolumeStore store = Open($"127.0.0.1:{proxy.Port}");

        RestoreException listing = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).ToListAsync(Token)
        );
        RestoreException file = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ReadAsync("a.zip", 0, new byte[9], Token)
        );

        Assert.All([listing, file], failure => Assert.Equal(RestoreErrorCode.RedirectRefused, failure.Code));
        Assert.StartsWith(
            "The store redirects to another address (http://localhost:1)",
            listing.Message,
            StringComparison.Ordinal
        );
        Assert.Equal(2, proxy.Requests.Length);
    }

    [Theory]
    [InlineData("STANDARD", null)]
    [InlineData("GLACIER_IR", null)]
    [InlineData("INTELLIGENT_TIERING", null)]
    [InlineData("GLACIER", "GLACIER")]
    [InlineData("DEEP_ARCHIVE", "DEEP_ARCHIVE")]
    public async Task The_class_of_storage_says_what_is_to_be_thawed(string storageClass, string? tier)
    {
        string file =
            $"<Contents><Key>f/a.zip</Key><Size>7</Size><StorageClass>{storageClass}</StorageClass></Contents>";
        await using FakeService service = new(_ => (200, Page(file, "false")));
        await using IVolumeStore store = Open(service.Address.Authority);

        Assert.Equal(
            [new StoredFile("a.zip", 7) { ArchiveTier = tier }],
            await store.ListAsync(Token).ToListAsync(Token)
        );
    }

    [Fact]
    public async Task A_bucket_without_a_backup_says_in_which_folder_one_is()
    {
        const string Folders =
            "<CommonPrefixes><Prefix>a/</Prefix></CommonPrefixes><CommonPrefixes><Prefix>job/</Prefix></CommonPrefixes>";
        const string List = "<Contents><Key>job/duplicati-20260101T000000Z.dlist.zip</Key><Size>7</Size></Contents>";
        await using FakeService service = new(request =>
            (
                200,
                Page(
                    request.QueryString["prefix"] switch
                    {
                        "job/" => List,
                        null or "" => Folders,
                        _ => "",
                    },
                    "false"
                )
            )
        );
        BackupOptions options = new()
        {
            Stores = TestStores.Registry,
            StoreOptions = new Dictionary<string, string>
            {
                ["s3-server-name"] = service.Address.Authority,
                ["auth-username"] = "u",
                ["auth-password"] = "p",
                ["number-of-retries"] = "0",
            },
        };

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            Backup.OpenAsync("s3://bucket", options, Token)
        );
        Assert.Equal(RestoreErrorCode.BackupNotFound, failure.Code);
        Assert.Contains(
            "The folder job in it has a backup: s3://bucket/job",
            failure.Message,
            StringComparison.Ordinal
        );

        await using Backup backup = await Backup.OpenAsync(
            "s3://bucket",
            options with
            {
                Prefix = "job/duplicati",
            },
            Token
        );
        Assert.Single(backup.Versions);
    }

    private static async Task<RestoreException> ListAsync(Func<HttpListenerRequest, string> answer)
    {
        await using FakeService service = new(request => (200, answer(request)));
        await using IVolumeStore store = Open(service.Address.Authority);
        return await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).Take(9).ToListAsync(Token)
        );
    }

    private static string Page(string content, string isTruncated) =>
        $"<ListBucketResult><Name>bucket</Name><IsTruncated>{isTruncated}</IsTruncated>{content}</ListBucketResult>";

    private static IVolumeStore Open(string server) =>
        TestStores.Open(
            $"s3://bucket/f?s3-server-name={server}",
            new Dictionary<string, string> { ["auth-username"] = "u", ["auth-password"] = "p" }
        );
}
