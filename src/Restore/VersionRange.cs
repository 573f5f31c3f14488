namespace Restore;

/// <summary>Consecutive versions, by <see cref="BackupVersion.Index"/>.</summary>
/// <param name="Newest">The lowest index.</param>
/// <param name="Oldest">The highest index.</param>
public readonly record struct VersionRange(int Newest, int Oldest)
{
    internal static VersionRange Of(BackupVersion version) => new(version.Index, version.Index);
}
