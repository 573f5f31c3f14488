using System.Diagnostics;
using Restore.Encryption;
using Restore.Interop;
using Restore.Memory;
using Restore.Tests.Encryption;

namespace Restore.Tests.Interop;

/// <summary>
/// Programs that hang, print without an end, or leave something behind that holds their output.
/// </summary>
public sealed class ChildProcessTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(20);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("sleep 300")]
    [InlineData("sleep 300 & sleep 300")]
    [InlineData("cat > /dev/null; sleep 300")]
    public async Task A_gpg_that_hangs_is_ended_after_the_time_limit_and_named(string script)
    {
        using TempFolder folder = NeedsShell();
        var pool = new BufferPool();
        GpgCipher cipher = new(Script(folder, script), "correct horse", pool, patience: Patience);

        RestoreException failure = await FailureAsync(cipher, pool);

        Assert.Equal(RestoreErrorCode.GpgUnusable, failure.Code);
        Assert.StartsWith(
            "gpg took nothing and printed nothing for 1 s, and was ended",
            failure.Message,
            StringComparison.Ordinal
        );
        Assert.Equal(0, pool.OutstandingBuffers);
    }

    [Fact]
    public async Task A_gpg_that_continues_slowly_is_left_alone()
    {
        using TempFolder folder = NeedsShell();
        var pool = new BufferPool();
        const string Slow =
            "for i in 1 2 3 4 5 6; do echo line; sleep 0.4; done; cat > /dev/null; echo '[GNUPG:] DECRYPTION_FAILED' >&2";
        GpgCipher cipher = new(Script(folder, Slow), "correct horse", pool, patience: Patience);

        Deciphered result = await Ciphering.Decrypt(cipher, new byte[1000], pool);

        Assert.IsNotType<RestoreException>(result.Failure);
    }

    [Fact]
    public async Task What_a_gpg_that_has_ended_leaves_behind_does_not_hold_up_a_restore()
    {
        using TempFolder folder = NeedsShell();
        string file = Path.Combine(folder.Path, "left");
        var pool = new BufferPool();
        GpgCipher cipher = new(Script(folder, $"sleep 300 & echo $! > '{file}'; exit 2"), "correct horse", pool);

        await Ciphering.Decrypt(cipher, new byte[1000], pool).WaitAsync(Longest, Token);

        Assert.True(
            HasEnded(
                int.Parse(
                    (await File.ReadAllTextAsync(file, Token)).Trim(),
                    System.Globalization.CultureInfo.InvariantCulture
                )
            )
        );
    }

    [Fact]
    public async Task A_program_that_left_the_group_and_holds_the_output_is_not_waited_for()
    {
        using TempFolder folder = NeedsShell();
        string file = Path.Combine(folder.Path, "left");
        string script = Script(
            folder,
            $"setsid sh -c 'echo $$ > \"{file}\"; exec sleep 60' & while [ ! -s '{file}' ]; do sleep 0.05; done; exit 0"
        );
        ChildProcess program = new(SystemPrograms.StartInfo(script, []), ownGroup: true);
        await using (program)
        {
            Assert.Equal(0, await program.ExitCodeAsync(Token).WaitAsync(Longest, Token));
            Assert.False(await program.IsDrainedAsync(program.Output.ReadToEndAsync(Token)).WaitAsync(Longest, Token));
        }

        using Process left = Process.GetProcessById(
            int.Parse(
                (await File.ReadAllTextAsync(file, Token)).Trim(),
                System.Globalization.CultureInfo.InvariantCulture
            )
        );
        left.Kill();
    }

    [Theory]
    [InlineData("exec cat /dev/zero")]
    [InlineData("exec sleep 300")]
    [InlineData("sleep 300 & exit 0")]
    public async Task The_short_text_of_a_program_has_a_limit_of_length_and_time(string script)
    {
        using TempFolder folder = NeedsShell();
        ChildProcess program = new(SystemPrograms.StartInfo(Script(folder, script), []), ownGroup: true);
        await using (program)
        {
            string? text = await program.ShortOutputAsync(100, Patience, Token).WaitAsync(Longest, Token);

            Assert.True(string.IsNullOrEmpty(text));
        }
    }

    private static async Task<RestoreException> FailureAsync(GpgCipher cipher, BufferPool pool)
    {
        PooledBuffer volume = pool.Rent(4 << 20);
        return await Assert.ThrowsAsync<RestoreException>(async () =>
            await cipher.DecryptAsync(volume, Token).AsTask().WaitAsync(Longest, Token)
        );
    }

    private static bool HasEnded(int process)
    {
        string state = File.Exists($"/proc/{process}/stat") ? File.ReadAllText($"/proc/{process}/stat") : "";
        return state.Length == 0 || state[(state.LastIndexOf(')') + 2)..].StartsWith('Z');
    }

    private static TempFolder NeedsShell()
    {
        Assert.SkipUnless(
            OperatingSystem.IsLinux() && SystemPrograms.Find("setsid") is not null,
            "Process groups are made by setsid."
        );
        return new TempFolder();
    }

    private static string Script(TempFolder folder, string text)
    {
        string path = Path.Combine(folder.Path, "gpg");
        File.WriteAllText(path, $"#!/bin/sh\n{text}\n");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }

        return path;
    }
}
