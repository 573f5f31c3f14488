using System.Text.Json;
using Restore.Cli;
using Restore.Tests.Cli;
using Restore.Tests.FixtureTests;
using Restore.Tests.Trust;

namespace Restore.Tests.Reported;

/// <summary>
/// A file that stays damaged does not replace the one at the target: the program keeps both, and
/// says where.
/// </summary>
public sealed class OverwriteDamagedTests
{
    private const int BlockBytes = 1024;

    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task A_repeated_restore_adds_no_second_damaged_copy_until_something_got_better(Flow flow)
    {
        using MadeBackup backup = new(BlockBytes);
        WriteDamaged(backup);
        string[] arguments =
        [
            backup.Source,
            $"--restore-path={backup.Target}",
            $"--restore-legacy={flow == Flow.Legacy}",
        ];
        CliRun first = await CliRun.OfAsync(arguments);
        byte[] damaged = File.ReadAllBytes(backup.At("letter.txt"));

        foreach (string option in new[] { "--overwrite=no", "--salvage-versions", "--overwrite" })
        {
            CliRun again = await CliRun.OfAsync([.. arguments, option]);
            Assert.Equal((first.ExitCode, ExitCodes.Incomplete), (again.ExitCode, first.ExitCode));
            Assert.Contains($"            At: {backup.At("letter.txt")}\n", again.Output, StringComparison.Ordinal);
            Assert.DoesNotContain("Something else", again.Output, StringComparison.Ordinal);
            Assert.Equal(
                ["letter.txt", "sound.txt"],
                Directory.GetFileSystemEntries(backup.Target).Select(Path.GetFileName).Order()
            );
            Assert.Equal(damaged, File.ReadAllBytes(backup.At("letter.txt")));
        }

        // A file of the user with that length stays, and the damaged one is beside it.
        damaged[0] ^= 1;
        File.WriteAllBytes(backup.At("letter.txt"), damaged);
        await CliRun.OfAsync([.. arguments, "--overwrite"]);
        Assert.Equal(damaged, File.ReadAllBytes(backup.At("letter.txt")));
        Assert.True(File.Exists(backup.At("letter.2026-01-02.txt")));
    }

    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task The_old_file_stays_and_the_damaged_one_is_beside_it(Flow flow)
    {
        using MadeBackup backup = new(BlockBytes);
        byte[] content = WriteDamaged(backup);
        byte[] old = "the old letter"u8.ToArray();
        Directory.CreateDirectory(backup.Target);
        File.WriteAllBytes(backup.At("letter.txt"), old);
        File.WriteAllBytes(backup.At("sound.txt"), old);
        string[] arguments =
        [
            backup.Source,
            $"--restore-path={backup.Target}",
            "--overwrite",
            $"--restore-legacy={flow == Flow.Legacy}",
        ];

        CliRun run = await CliRun.OfAsync(arguments);
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        string text = run.Output + run.Error;
        string beside = backup.At("letter.2026-01-02.txt");
        Assert.Contains(
            $"The damaged file is at {beside}; it did not replace the one at {backup.At("letter.txt")}",
            text,
            StringComparison.Ordinal
        );
        Assert.Contains("If the damaged file is the better one, rename it", text, StringComparison.OrdinalIgnoreCase);
        AssertFiles();

        // A second run says the same, and adds nothing.
        CliRun json = await CliRun.OfAsync([.. arguments, "--json"]);
        Assert.Equal(ExitCodes.Incomplete, json.ExitCode);
        using JsonDocument report = JsonDocument.Parse(json.Output);
        Assert.Contains(
            report.RootElement.GetProperty("issues").EnumerateArray(),
            issue => issue.GetProperty("kind").GetString() == "damaged"
        );
        AssertFiles();

        void AssertFiles()
        {
            Assert.Equal(old, File.ReadAllBytes(backup.At("letter.txt")));
            Assert.Equal("sound"u8.ToArray(), File.ReadAllBytes(backup.At("sound.txt")));
            byte[] damaged = File.ReadAllBytes(beside);
            Assert.Equal([.. content[..BlockBytes], .. new byte[BlockBytes], .. content[(2 * BlockBytes)..]], damaged);
            Assert.Equal(
                ["letter.2026-01-02.txt", "letter.txt", "sound.txt"],
                Directory
                    .EnumerateFileSystemEntries(backup.Target)
                    .Select(Path.GetFileName)
                    .Order(StringComparer.Ordinal)
            );
        }
    }

    /// <summary>A sound file, and one of three blocks whose second is lost.</summary>
    /// <returns>The content of the damaged one.</returns>
    private static byte[] WriteDamaged(MadeBackup backup)
    {
        byte[] content = new byte[3 * BlockBytes];
        new Random(5).NextBytes(content);
        backup.File("/data/letter.txt", content, MadeBackup.Metadata());
        backup.File("/data/sound.txt", "sound"u8.ToArray(), MadeBackup.Metadata());
        backup.Forget(content[BlockBytes..(2 * BlockBytes)]);
        backup.Write();
        return content;
    }
}
