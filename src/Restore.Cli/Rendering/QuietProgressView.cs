namespace Restore.Cli.Rendering;

internal sealed class QuietProgressView : IProgressView
{
    public void Report(RestoreProgress value) { }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
