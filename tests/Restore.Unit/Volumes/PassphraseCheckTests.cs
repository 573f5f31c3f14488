namespace Restore.Tests.Volumes;

public sealed class PassphraseCheckTests
{
    [Fact]
    public async Task The_right_passphrase_opens_the_backup() =>
        Assert.True(await CheckAsync(Store(), "correct horse"));

    [Fact]
    public async Task Another_passphrase_does_not_open_the_backup() =>
        Assert.False(await CheckAsync(Store(), "incorrect horse"));

    [Fact]
    public async Task An_encrypted_backup_needs_a_passphrase() => Assert.False(await CheckAsync(Store(), null));

    [Fact]
    public async Task A_former_passphrase_opens_the_backup_too()
    {
        await using Backup backup = await Backup.OpenAsync(
            Store(),
            new BackupOptions { Passphrase = "new", FormerPassphrases = ["correct horse"] }
        );
        Assert.True(await backup.CheckPassphraseAsync());
    }

    [Fact]
    public async Task A_backup_without_encryption_needs_no_passphrase() =>
        Assert.True(await CheckAsync(ScriptedStore.OfFolder(Fixtures.Backup("plain-1mb")), null));

    [Fact]
    public async Task The_check_reads_one_small_volume()
    {
        ScriptedStore store = Store();
        await CheckAsync(store, "correct horse");
        string name = Assert.Single(store.Reads.Select(read => read.Name).Distinct());
        Assert.Equal(store.Names.Min(file => store[file].Length), store[name].Length);
    }

    [Fact]
    public async Task A_volume_with_a_damaged_header_does_not_make_the_passphrase_wrong()
    {
        ScriptedStore store = Store();
        string smallest = store.Names.MinBy(file => store[file].Length)!;
        store[smallest].AsSpan(0, 200).Clear();
        Assert.True(await CheckAsync(store, "correct horse"));
    }

    [Fact]
    public async Task Small_volumes_of_another_passphrase_do_not_make_the_passphrase_wrong()
    {
        ScriptedStore store = Store();
        byte[] other = File.ReadAllBytes(
            Directory.EnumerateFiles(Fixtures.Backup("aes-unicode-pass")).MinBy(file => new FileInfo(file).Length)!
        );
        for (int planted = 0; planted < 3; planted++)
        {
            store[$"duplicati-i{planted:x32}.dindex.zip.aes"] = other;
        }

        int smaller = store.Names.Count(file => store[file].Length < other.Length);
        Assert.True(smaller < 3, $"{smaller} volumes are smaller than the planted ones");
        Assert.True(await CheckAsync(store, "correct horse"));
    }

    [Fact]
    public async Task Without_a_readable_volume_nothing_is_said_of_the_passphrase()
    {
        ScriptedStore store = Store();
        foreach (string name in store.Names.ToArray())
        {
            store[name] = new byte[store[name].Length];
        }

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => CheckAsync(store, "correct horse"));
        Assert.Equal(RestoreErrorCode.FileListUnusable, failure.Code);
        Assert.StartsWith("No encrypted volume can be read", failure.Message, StringComparison.Ordinal);
    }

    private static ScriptedStore Store() => ScriptedStore.OfFolder(Fixtures.Backup("aes-100kb"));

    private static async Task<bool> CheckAsync(ScriptedStore store, string? passphrase)
    {
        await using Backup backup = await Backup.OpenAsync(store, new BackupOptions { Passphrase = passphrase });
        return await backup.CheckPassphraseAsync();
    }
}
