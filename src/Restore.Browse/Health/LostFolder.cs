namespace Restore.Browse.Health;

/// <summary>
/// Newest and oldest are the versions with a loss; the entry is the first of them.
/// </summary>
internal sealed record LostFolder(string Path, int Files, int Newest, int Oldest, string First);
