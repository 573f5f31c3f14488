namespace Restore.Cli.Rendering;

/// <summary>
/// Shows progress until it is disposed. The restore does not know what it looks like.
/// </summary>
internal interface IProgressView : IProgress<RestoreProgress>, IAsyncDisposable { }
