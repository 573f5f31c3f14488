namespace Restore.Cli.Rendering;

/// <summary>Shows nothing.</summary>
internal sealed class QuietProgressView : IProgressView
{
    public void Report(RestoreProgress value)
    {
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
