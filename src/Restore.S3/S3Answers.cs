namespace Restore.S3;

/// <summary>
/// Refuses redirects but those of Amazon to the region of a bucket, which the SDK signs again and
/// follows.
/// </summary>
internal class S3Answers(StoreContext context) : StoreAnswerLimit(context)
{
    protected override bool MayFollow(Uri from, Uri to) => IsAmazon(to.Host) && IsAmazon(from.Host);

    private static bool IsAmazon(string host) =>
        host.EndsWith(".amazonaws.com", StringComparison.OrdinalIgnoreCase)
        || host.EndsWith(".amazonaws.com.cn", StringComparison.OrdinalIgnoreCase);
}
