using System.Runtime.Versioning;
using Restore.Storage;
using Restore.Storage.Local;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

public sealed class LocalFolderSinkTests(LocalFolder server) : SinkConformance(server), IClassFixture<LocalFolder>
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
        await using RetryingSink sink = new(
            new LocalFolderSink(file),
            new TransferSettings(),
            TimeProvider.System,
            NullLogger
        );

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            sink.PutAsync(_ => "a.zip", new byte[10], Token)
        );

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

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Nothing_is_written_to_or_deleted_from_a_folder_that_took_the_place_of_the_first_one(
        bool isPutBefore
    )
    {
        using TempFolder folder = new();
        string place = Path.Combine(folder.Path, "place");
        Directory.CreateDirectory(place);
        await using LocalFolderSink sink = new(place);
        await foreach (StoredFile unused in sink.ListAsync(Token))
        {
            Assert.Fail($"{unused.Name} is there");
        }

        if (isPutBefore)
        {
            await sink.PutAsync("a.zip", new byte[10], Token);
        }

        // What an unmounted disk leaves: another folder, empty, under the same path.
        Directory.Move(place, Path.Combine(folder.Path, "away"));
        await Task.Delay(20, Token);
        Directory.CreateDirectory(place);
        await File.WriteAllTextAsync(Path.Combine(place, "b.zip"), "of somebody else", Token);

        IOException failure = await Assert.ThrowsAnyAsync<IOException>(async () =>
            await sink.PutAsync("c.zip", new byte[10], Token)
        );
        Assert.Contains("is another folder now", failure.Message, StringComparison.Ordinal);
        await Assert.ThrowsAnyAsync<IOException>(async () => await sink.DeleteAsync("b.zip", Token));
        await Assert.ThrowsAnyAsync<IOException>(async () => await sink.ListAsync(Token).ToListAsync(Token));
        Assert.Equal(["b.zip"], Directory.GetFiles(place).Select(Path.GetFileName));
    }

    [Fact]
    public async Task A_folder_with_other_times_is_the_same_folder()
    {
        using TempFolder folder = new();
        string place = Path.Combine(folder.Path, "place");
        Directory.CreateDirectory(place);
        await using LocalFolderSink sink = new(place);
        await foreach (StoredFile unused in sink.ListAsync(Token))
        {
            Assert.Fail($"{unused.Name} is there");
        }

        Directory.SetCreationTimeUtc(place, new DateTime(2001, 2, 3, 4, 5, 6, DateTimeKind.Utc));
        Directory.SetLastWriteTimeUtc(place, new DateTime(2011, 2, 3, 4, 5, 6, DateTimeKind.Utc));

        await sink.PutAsync("a.zip", new byte[10], Token);

        Assert.True(File.Exists(Path.Combine(place, "a.zip")));
    }

    [Fact]
    public async Task A_folder_with_another_number_and_our_files_is_the_same_folder()
    {
        // A network file system that was mounted again.
        using TempFolder folder = new();
        string place = Path.Combine(folder.Path, "place");
        await using LocalFolderSink sink = new(place);
        await sink.PutAsync("a.zip", new byte[10], Token);
        Directory.Move(place, Path.Combine(folder.Path, "away"));
        await Task.Delay(20, Token);
        Directory.CreateDirectory(place);
        File.Copy(Path.Combine(folder.Path, "away", "a.zip"), Path.Combine(place, "a.zip"));

        await sink.PutAsync("b.zip", new byte[10], Token);

        Assert.Equal(2, Directory.GetFiles(place).Length);
    }

    [Fact]
    [UnsupportedOSPlatform("windows")]
    public async Task New_files_and_folders_are_for_their_owner_alone_and_an_old_folder_keeps_its_mode()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no modes");
        using TempFolder folder = new();
        string above = Path.Combine(folder.Path, "above");
        string place = Path.Combine(above, "place");
        string old = Path.Combine(folder.Path, "old");
        Directory.CreateDirectory(old);
        UnixFileMode mode = File.GetUnixFileMode(old) | UnixFileMode.OtherRead | UnixFileMode.OtherExecute;
        File.SetUnixFileMode(old, mode);
        foreach (string one in (string[])[place, old])
        {
            await using LocalFolderSink sink = new(one);
            await sink.PutAsync("a.zip", new byte[10], Token);
            Assert.Equal(
                UnixFileMode.UserRead | UnixFileMode.UserWrite,
                File.GetUnixFileMode(Path.Combine(one, "a.zip"))
            );
        }

        const UnixFileMode Owner = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;
        Assert.Equal(
            (Owner, Owner, mode),
            (File.GetUnixFileMode(above), File.GetUnixFileMode(place), File.GetUnixFileMode(old))
        );
    }

    private static Microsoft.Extensions.Logging.ILogger NullLogger =>
        Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance;
}
