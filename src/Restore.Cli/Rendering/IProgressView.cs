namespace Restore.Cli.Rendering;

/// <summary>Shows how far a run is, until it is disposed. The run does not know what it looks like.</summary>
internal interface IProgressView : IProgress<RestoreProgress>, IAsyncDisposable
{
}
