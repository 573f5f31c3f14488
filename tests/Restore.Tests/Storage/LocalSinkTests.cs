using Restore.Storage;
using Restore.Storage.Local;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

public sealed class LocalSinkTests(LocalFolder server) : SinkConformance(server), IClassFixture<LocalFolder>
{
    [Fact]
    public async Task What_is_not_whole_has_no_name_of_a_volume()
    {
        using TempFolder folder = new();
        await using LocalFolderSink sink = new(folder.Path);
        string name = "duplicati-b0123456789abcdef.dblock.zip";
        Directory.CreateDirectory(Path.Combine(folder.Path, name));

        await Assert.ThrowsAnyAsync<IOException>(async () => await sink.PutAsync(name, new byte[100], Token));

        Assert.Empty(Directory.GetFiles(folder.Path));
        string partial = PartialName.Of(name);
        Assert.False(Restore.Format.VolumeName.TryParse(partial, out _));
        Assert.True(PartialName.IsOf("duplicati", partial));
        Assert.False(PartialName.IsOf("dup", partial));
    }

    [Fact]
    public async Task A_folder_that_may_not_be_written_ends_the_run_with_the_reason()
    {
        using TempFolder folder = new();
        string file = Path.Combine(folder.Path, "file");
        await File.WriteAllTextAsync(file, "x", Token);
        await using RetryingSink sink = new(new LocalFolderSink(file), new TransferSettings(), TimeProvider.System, NullLogger);

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => sink.PutAsync(_ => "a.zip", new byte[10], Token));

        Assert.Equal(RestoreErrorCode.DestinationNotWritable, failure.Code);
        Assert.StartsWith("The backup cannot be written: ", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Nothing_is_deleted_from_a_store_that_keeps_what_it_has()
    {
        await using RetryingSink sink = Server.OpenSink(Folder, options: ("immutable", "true"));
        await sink.PutAsync(_ => "a.zip", new byte[10], Token);

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => sink.DeleteAsync("a.zip", Token));

        Assert.Equal(RestoreErrorCode.StoreAppendOnly, failure.Code);
        await using (await WriterLock.TakeAsync(sink, "duplicati", TimeProvider.System, breaks: false, Token))
        {
            Assert.Equal([new StoredFile("a.zip", 10)], await sink.ListAsync(Token));
        }
    }

    private static Microsoft.Extensions.Logging.ILogger NullLogger => Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance;
}
