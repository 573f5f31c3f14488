using System.Text;
using Restore.Encryption;
using Restore.Memory;
using Restore.Tests.Csp;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Encryption;

/// <summary>
/// Runs the gpg of this machine on the volumes of a backup that Duplicati made with gpg.
/// </summary>
public class GpgCipherTests
{
    private const string Dblock = "duplicati-b6a48ed1ec535469ea014a6fe1dee2b6f.dblock.zip.gpg";
    private const string Dlist = "duplicati-20261121T132356Z.dlist.zip.gpg";

    private static byte[] Volume(string name) => File.ReadAllBytes(Path.Combine(Fixtures.Backup("gpg"), name));

    private static async Task<Deciphered> Decrypt(byte[] volume, string passphrase = "correct horse")
    {
        string program = GpgProgram.Find(null, Environment.GetEnvironmentVariable("PATH"));
        var pool = new BufferPool();
        return await Ciphering.Decrypt(new GpgCipher(program, passphrase, pool), volume, pool);
    }

    [Fact]
    [NeedsGpg]
    public async Task Every_volume_of_a_sound_backup_opens_as_a_zip()
    {
        foreach (string path in Directory.EnumerateFiles(Fixtures.Backup("gpg"), "*.gpg"))
        {
            Deciphered result = await Decrypt(File.ReadAllBytes(path));

            Assert.True(result.Authentic, result.Failure?.Message ?? result.Defect);
            using var archive = new System.IO.Compression.ZipArchive(new MemoryStream(result.Text));
            Assert.NotEmpty(archive.Entries);
        }
    }

    [Fact]
    [NeedsGpg]
    public async Task A_wrong_passphrase_is_distinguished_from_damage()
    {
        Deciphered result = await Decrypt(Volume(Dblock), "wrong");

        Assert.True(result.IsWrongPassphrase, result.Failure?.ToString());
        Assert.Equal("The passphrase does not open the volume, or its header is damaged", result.Failure!.Message);
    }

    [Fact]
    [NeedsGpg]
    public async Task A_flipped_byte_is_reported_and_the_text_before_it_is_kept()
    {
        byte[] volume = Volume(Dblock);
        byte[] sound = (await Decrypt(volume)).Text;
        volume[volume.Length / 2] ^= 0xff;

        Deciphered result = await Decrypt(volume);

        Assert.True(result.IsDamaged, result.Failure?.ToString());
        Assert.StartsWith(
            "The volume was damaged or cut after it was made (gpg says: ",
            result.Defect,
            StringComparison.Ordinal
        );
        Assert.Equal(sound[..8192], result.Text[..8192]);
    }

    [Theory]
    [InlineData(0.6)]
    [InlineData(0.9999)]
    [NeedsGpg]
    public async Task A_cut_volume_is_reported_and_the_text_before_the_cut_is_kept(double part)
    {
        byte[] volume = Volume(Dblock);
        byte[] sound = (await Decrypt(volume)).Text;

        Deciphered result = await Decrypt(volume[..(int)(volume.Length * part)]);

        Assert.True(result.IsDamaged, result.Failure?.ToString());
        Assert.True(result.Text.Length > 10_000);
        Assert.Equal(sound[..result.Text.Length], result.Text);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3000)]
    [NeedsGpg]
    public async Task Bytes_that_were_added_to_a_volume_cost_nothing(int bytes)
    {
        byte[] volume = Volume(Dlist);

        Deciphered result = await Decrypt([.. volume, .. new byte[bytes]]);

        Assert.Null(result.Failure);
        Assert.Equal((await Decrypt(volume)).Text, result.Text);
    }

    [Fact]
    [NeedsGpg]
    public async Task A_volume_cut_inside_its_header_is_not_a_message()
    {
        Assert.True((await Decrypt(Volume(Dblock)[..10])).IsNoHeader);
    }

    [Fact]
    public async Task An_empty_volume_is_refused_without_running_gpg()
    {
        var pool = new BufferPool();

        Deciphered result = await Ciphering.Decrypt(new GpgCipher("/nowhere/gpg", "correct horse", pool), [], pool);

        Assert.True(result.IsNoHeader);
        Assert.Equal("The volume is empty", result.Failure!.Message);
    }

    [Fact]
    [NeedsGpg]
    public async Task Garbage_is_not_a_message()
    {
        Deciphered result = await Decrypt([.. Enumerable.Range(0, 5000).Select(i => (byte)(i * 7))]);

        Assert.True(result.IsNoHeader, result.Defect);
        Assert.StartsWith(
            "The volume is not an OpenPGP message that gpg can open (",
            result.Failure!.Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    [NeedsGpg]
    public async Task No_damaged_byte_of_the_header_leads_to_another_exception_than_the_contract_names()
    {
        byte[] sound = Volume("duplicati-i32e3c83376a94d59a12e93a496f2fa6f.dindex.zip.gpg");
        for (int position = 0; position < 48; position += 3)
        {
            byte[] volume = [.. sound];
            volume[position] ^= 0xff;

            Assert.False((await Decrypt(volume)).Authentic, $"byte {position}");
        }
    }

    [Fact]
    public void A_passphrase_of_two_lines_is_refused_since_gpg_would_take_the_first()
    {
        var refused = Assert.Throws<RestoreException>(() => new GpgCipher("gpg", "correct\nhorse", new BufferPool()));

        Assert.Equal(RestoreErrorKind.Usage, refused.Kind);
        Assert.DoesNotContain("horse", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_missing_program_is_an_error_with_its_own_code()
    {
        using var empty = new TempFolder();

        var none = Assert.Throws<RestoreException>(() => GpgProgram.Find(null, empty.Path));
        var named = Assert.Throws<RestoreException>(() => GpgProgram.Find(Path.Combine(empty.Path, "gpg"), null));

        Assert.Equal((RestoreErrorCode.GpgMissing, RestoreErrorCode.GpgMissing), (none.Code, named.Code));
        Assert.Equal(
            "The backup is encrypted with GnuPG, and there is no gpg program on the search path",
            none.Message
        );
        Assert.StartsWith("There is no gpg program at the given path (", named.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_program_that_cannot_be_run_is_an_error_and_gives_the_buffer_back()
    {
        using var folder = new TempFolder();
        string program = Path.Combine(folder.Path, "gpg");
        File.WriteAllText(program, "not a program");
        var pool = new BufferPool();
        PooledBuffer volume = pool.Rent(100);

        var failed = await Assert.ThrowsAsync<RestoreException>(async () =>
            await new GpgCipher(program, "correct horse", pool).DecryptAsync(volume)
        );

        Assert.StartsWith("gpg cannot be started: ", failed.Message, StringComparison.Ordinal);
        Assert.Equal(0, pool.OutstandingBuffers);
    }

    [Fact]
    public void Gpg2_is_taken_before_gpg_and_folders_relative_to_the_current_one_never()
    {
        using var first = new TempFolder();
        using var second = new TempFolder();
        string suffix = OperatingSystem.IsWindows() ? ".exe" : "";
        File.WriteAllText(Path.Combine(first.Path, "gpg" + suffix), "");
        File.WriteAllText(Path.Combine(second.Path, "gpg2" + suffix), "");
        string relative = Path.GetRelativePath(Environment.CurrentDirectory, first.Path);
        string searchPath = string.Join(Path.PathSeparator, ".", relative, first.Path, second.Path);

        Assert.Equal(Path.Combine(second.Path, "gpg2" + suffix), GpgProgram.Find(null, searchPath));
        Assert.Equal(
            Path.Combine(first.Path, "gpg" + suffix),
            GpgProgram.Find(null, string.Join(Path.PathSeparator, relative, first.Path))
        );
    }

    [Fact]
    public async Task The_passphrase_is_on_the_input_and_in_no_argument()
    {
        using var folder = new TempFolder();
        GpgCipher cipher = Imitation(
            folder,
            $"echo \"$@\" > {folder.Path}/arguments; cat > {folder.Path}/input",
            "päss word",
            out BufferPool pool
        );

        Deciphered result = await Ciphering.Decrypt(cipher, [1, 2, 3], pool);

        Assert.True(result.IsNoHeader, "a program that says nothing has decrypted nothing");
        Assert.DoesNotContain(
            "word",
            File.ReadAllText(Path.Combine(folder.Path, "arguments")),
            StringComparison.Ordinal
        );
        Assert.Equal(
            [.. Encoding.UTF8.GetBytes("päss word\n"), 1, 2, 3],
            File.ReadAllBytes(Path.Combine(folder.Path, "input"))
        );
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [NeedsGpg]
    public async Task A_volume_encrypted_to_the_public_key_of_the_user_is_refused_unless_keys_are_allowed(
        bool allowsKeys
    )
    {
        using var folder = new TempFolder();
        string program = GpgProgram.Find(null, Environment.GetEnvironmentVariable("PATH"));
        string home = Directory.CreateDirectory(Path.Combine(folder.Path, "home")).FullName;
        string gpg = Script(folder, $"GNUPGHOME={home} exec {program} \"$@\"");
        const string Unprotected = "--batch --quiet --pinentry-mode loopback --passphrase";
        Assert.Equal(
            0,
            Run(gpg, [.. Unprotected.Split(' '), "", "--quick-generate-key", "ann", "default", "default", "never"])
        );
        string plain = Path.Combine(folder.Path, "plain");
        await File.WriteAllTextAsync(plain, "forged", TestContext.Current.CancellationToken);
        Assert.Equal(
            0,
            Run(gpg, ["--batch", "--quiet", "--trust-model", "always", "--recipient", "ann", "--encrypt", plain])
        );
        byte[] forged = await File.ReadAllBytesAsync(plain + ".gpg", TestContext.Current.CancellationToken);

        var pool = new BufferPool();
        Deciphered result = await Ciphering.Decrypt(
            new GpgCipher(gpg, "correct horse", pool, allowsKeys),
            forged,
            pool
        );
        Assert.Equal(allowsKeys, result.Authentic);
        Assert.Equal(allowsKeys ? "forged" : "", Encoding.UTF8.GetString(result.Text ?? []));
        Assert.Equal(allowsKeys ? null : IssueCode.EncryptedToKey, result.Failure?.ToIssueCode());
        StopAgent(home);
    }

    [Fact]
    public async Task A_program_that_never_ends_is_ended_by_cancellation()
    {
        using var folder = new TempFolder();
        GpgCipher cipher = Imitation(folder, "exec sleep 1000", "correct horse", out BufferPool pool);
        using var cancellation = new CancellationTokenSource(TimeSpan.FromMilliseconds(300));

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
            await cipher.DecryptAsync(pool.Rent(1_000_000), cancellation.Token)
        );

        Assert.Equal(0, pool.OutstandingBuffers);
    }

    [Theory]
    [InlineData(
        "exec cat /dev/zero",
        "The volume's text is longer than 67110464 bytes, which is the most that is accepted for its size"
    )]
    [InlineData("exec cat /dev/zero >&2", "The volume made gpg write more than 65536 characters of complaints")]
    public async Task A_program_that_never_stops_writing_is_ended_at_a_cap(string script, string message)
    {
        using var folder = new TempFolder();
        GpgCipher cipher = Imitation(folder, script, "correct horse", out BufferPool pool);

        Deciphered result = await Ciphering.Decrypt(cipher, new byte[100], pool);

        Assert.True(result.IsNoHeader);
        Assert.Equal(message, result.Failure!.Message);
    }

    [Fact]
    public async Task Of_two_texts_that_are_much_longer_than_their_volumes_one_is_in_memory_at_a_time()
    {
        string reported = string.Concat(
            new[] { "NEED_PASSPHRASE_SYM", "DECRYPTION_INFO", "PLAINTEXT", "DECRYPTION_OKAY" }.Select(word =>
                $"[GNUPG:] {word}\\n"
            )
        );
        using var folder = new TempFolder();
        string script = $"cat > /dev/null; head -c 100000 /dev/zero; printf '{reported}' >&2";
        GpgCipher cipher = Imitation(folder, script, "correct horse", out BufferPool pool);
        CancellationToken token = TestContext.Current.CancellationToken;
        DecryptedVolume first = await cipher.DecryptInTurnAsync(pool.Rent(100), token).AsTask().Soon();
        Assert.Equal(100_000, first.Length);
        Task<DecryptedVolume> second = cipher.DecryptInTurnAsync(pool.Rent(100), token).AsTask();

        // Who keeps a volume while he reads another one does not wait for himself.
        (await cipher.DecryptAsync(pool.Rent(100), token).AsTask().Soon()).Buffer.Dispose();
        await Task.WhenAny(second, Task.Delay(TimeSpan.FromMilliseconds(200), token));
        Assert.False(second.IsCompleted);

        first.Buffer.Dispose();
        (await second.Soon()).Buffer.Dispose();
        Assert.Equal(0, pool.OutstandingBuffers);
    }

    [Fact]
    public async Task A_program_that_ends_without_reading_causes_no_hang()
    {
        using var folder = new TempFolder();
        GpgCipher cipher = Imitation(
            folder,
            "echo 'gpg: invalid option \"--status-fd\"' >&2; exit 2",
            "correct horse",
            out BufferPool pool
        );

        Deciphered result = await Ciphering.Decrypt(cipher, new byte[1_000_000], pool);

        Assert.Equal(
            "The volume is not an OpenPGP message that gpg can open (gpg says: invalid option \"--status-fd\")",
            result.Failure?.Message
        );
    }

    private static GpgCipher Imitation(TempFolder folder, string script, string passphrase, out BufferPool pool)
    {
        string program = Script(folder, script);
        pool = new BufferPool();
        return new GpgCipher(program, passphrase, pool);
    }

    private static int Run(string program, string[] arguments)
    {
        System.Diagnostics.ProcessStartInfo start = new(program, arguments) { RedirectStandardInput = true };
        using var process = System.Diagnostics.Process.Start(start)!;
        process.StandardInput.Close();
        process.WaitForExit();
        return process.ExitCode;
    }

    private static void StopAgent(string home) => Run("gpgconf", ["--homedir", home, "--kill", "gpg-agent"]);

    private static string Script(TempFolder folder, string script)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The program that stands in for gpg is a shell script.");
        string program = Path.Combine(folder.Path, "gpg");
        File.WriteAllText(program, "#!/bin/sh\n" + script + "\n");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }

        return program;
    }
}
