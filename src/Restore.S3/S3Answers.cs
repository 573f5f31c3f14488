namespace Restore.S3;

/// <summary>
/// Refuses redirects, except Amazon's redirects to the region of a bucket. The SDK signs these
/// again and follows them.
/// </summary>
internal class S3Answers(StoreContext context) : StoreAnswerLimit(context)
{
    protected override bool MayFollow(Uri from, Uri to) => IsAmazon(to.Host) && IsAmazon(from.Host);

    private static bool IsAmazon(string host) =>
        host.EndsWith(".amazonaws.com", StringComparison.OrdinalIgnoreCase)
        || host.EndsWith(".amazonaws.com.cn", StringComparison.OrdinalIgnoreCase);
}
