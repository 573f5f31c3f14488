namespace Restore.Tests.Storage;

public sealed class StoreAnswerLimitTests
{
    private const int TooMuch = (16 << 20) + 1;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("http://s3/bucket?list-type=2", 200)]
    [InlineData("http://s3/bucket/file", 500)]
    public async Task A_listing_or_an_error_without_end_is_cut_off(string uri, int status)
    {
        using HttpMessageInvoker client = Client(status, new StreamContent(new MemoryStream(new byte[TooMuch])));

        await Assert.ThrowsAsync<HttpRequestException>(() =>
            client.SendAsync(new HttpRequestMessage(HttpMethod.Get, uri), Token)
        );
    }

    [Fact]
    public async Task A_file_is_not_read_before_it_is_requested()
    {
        var content = new MemoryStream(new byte[TooMuch]);
        using var request = new HttpRequestMessage(HttpMethod.Get, "http://s3/bucket/file");
        request.Headers.Range = new(0, TooMuch);
        using HttpMessageInvoker client = Client(200, new StreamContent(content));

        using HttpResponseMessage response = await client.SendAsync(request, Token);

        Assert.Equal(0, content.Position);
    }

    private static HttpMessageInvoker Client(int status, HttpContent content)
    {
        HttpResponseMessage answer = new((System.Net.HttpStatusCode)status) { Content = content };
        return new(
            new StoreAnswerLimit(TestStores.Context("azure://container")) { InnerHandler = new Answering(answer) }
        );
    }

    private sealed class Answering(HttpResponseMessage response) : HttpMessageHandler
    {
        protected override Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request,
            CancellationToken cancellationToken
        ) => Task.FromResult(response);
    }
}
