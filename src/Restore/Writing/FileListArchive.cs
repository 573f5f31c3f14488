namespace Restore.Writing;

/// <summary>The volume of a file list that is being written.</summary>
/// <param name="likelyBytes">About its length: so much room it has from the beginning. What it does
/// not use takes no memory.</param>
internal sealed class FileListArchive(
    WriterSettings settings,
    BufferPool pool,
    DateTimeOffset created,
    long likelyBytes
) : IDisposable
{
    private readonly VolumeArchive archive = new(
        settings,
        pool,
        created,
        (int)Math.Clamp(likelyBytes, 1 << 20, Array.MaxLength / 2)
    );
    private Stream? json;

    /// <summary>Adds what is in a list besides the entries, before these.</summary>
    public void Attach(string name, Stream content)
    {
        using Stream entry = archive.OpenJson(name);
        content.CopyTo(entry);
    }

    /// <param name="isLarge">Whether the list can have 4 GiB or more.</param>
    public FileListWriter Begin(bool isFullBackup, bool isLarge)
    {
        archive.AddDeflated("fileset", new FilesetInfo(isFullBackup).Write());
        json = archive.OpenJson("filelist.json", isLarge);
        return new FileListWriter(json, settings.Layout);
    }

    /// <summary>Ends the list; its writer has finished.</summary>
    public PooledBuffer Finish()
    {
        json!.Dispose();
        json = null;
        return new VolumeSealer(settings, pool, created).Seal(archive.Finish());
    }

    public void Dispose()
    {
        json?.Dispose();
        archive.Dispose();
    }
}
