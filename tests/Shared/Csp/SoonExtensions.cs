namespace Restore.Tests.Csp;

/// <summary>
/// Turns a hang into a failure; the limit is far beyond what a loaded machine needs.
/// </summary>
internal static class SoonExtensions
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    public static Task Soon(this Task task) => task.WaitAsync(Limit);

    public static Task<T> Soon<T>(this Task<T> task) => task.WaitAsync(Limit);

    public static Task Soon(this ValueTask task) => task.AsTask().WaitAsync(Limit);

    public static Task<T> Soon<T>(this ValueTask<T> task) => task.AsTask().WaitAsync(Limit);
}
