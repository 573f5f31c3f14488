using System.Runtime.CompilerServices;

namespace Restore.Tests.Support;

/// <summary>Waits for what other threads do.</summary>
internal static class Eventually
{
    // Only a hang or a defect reaches it, also on a machine with other work.
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    /// <summary>Waits until something is so, and fails if it never is.</summary>
    public static async Task IsAsync(Func<bool> isSo, [CallerArgumentExpression(nameof(isSo))] string what = "")
    {
        long start = TimeProvider.System.GetTimestamp();
        while (!isSo())
        {
            Assert.True(TimeProvider.System.GetElapsedTime(start) < Limit, $"never: {what}");
            await Task.Delay(10, TestContext.Current.CancellationToken);
        }
    }
}
