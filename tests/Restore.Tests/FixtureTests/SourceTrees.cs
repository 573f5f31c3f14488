using System.Collections.Concurrent;
using Restore.Tests.Ends;

namespace Restore.Tests.FixtureTests;

/// <summary>
/// The bytes that the source of a fixture had: each version of the sound base restored once.
/// </summary>
public sealed class SourceTrees : IAsyncDisposable
{
    private readonly ConcurrentDictionary<(string Fixture, int Version), Lazy<Task<TempFolder>>> trees = [];

    /// <summary>A folder with the tree of a version.</summary>
    public async Task<string> FolderAsync(string fixture, int version) =>
        (
            await trees
                .GetOrAdd(
                    (fixture, version),
                    key => new Lazy<Task<TempFolder>>(() => RestoreAsync(key.Fixture, key.Version))
                )
                .Value
        ).Root;

    public async ValueTask DisposeAsync()
    {
        foreach (Lazy<Task<TempFolder>> tree in trees.Values.Where(tree => tree.Value.IsCompletedSuccessfully))
        {
            (await tree.Value).Dispose();
        }
    }

    private static async Task<TempFolder> RestoreAsync(string fixture, int version)
    {
        TempFolder folder = new();
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).Single();
        RestoreReport report = await FixtureRestore.RunAsync(backup, version, FixtureRestore.Whole(folder.Root));
        Assert.True(report.IsComplete);
        return folder;
    }
}
