using System.Runtime.CompilerServices;
using Restore;
using Restore.Stores;

// usage: Store FOLDER [PASSPHRASE]   lists the versions of a backup that is read through a store of your own
await using Backup backup = await Backup.OpenAsync(new ExampleStore(args[0]), new BackupOptions { Passphrase = args.ElementAtOrDefault(1) });
foreach (BackupVersion version in backup.Versions)
{
    Console.WriteLine($"{version.Index}  {version.Time:u}");
}

/// <summary>A store lists files and reads parts of them. Here they are in a folder; in yours they are wherever you keep them.</summary>
internal sealed class ExampleStore(string folder) : IVolumeStore
{
    public string DisplayName => $"example:{folder}";

    // Parts are read by their position, so that one file of a backup does not cost whole volumes.
    public bool HasRanges => true;

    public bool IsLocal => false;

    public async IAsyncEnumerable<StoredFile> ListAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        foreach (FileInfo file in new DirectoryInfo(folder).EnumerateFiles())
        {
            await Task.Yield();
            cancellationToken.ThrowIfCancellationRequested();
            yield return new StoredFile(file.Name, file.Length);
        }
    }

    public async ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default)
    {
        await using FileStream file = File.OpenRead(Path.Combine(folder, Path.GetFileName(name)));
        file.Position = offset;
        return await file.ReadAtLeastAsync(destination, destination.Length, throwOnEndOfStream: false, cancellationToken);
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
