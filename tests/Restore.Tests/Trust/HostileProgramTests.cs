using System.Diagnostics;
using System.IO.Compression;
using System.Text;
using Restore.Cli;
using Restore.Format;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Trust;

/// <summary>
/// The program itself over small backups that were made to fill the memory: a clear end, and at
/// most 600 MB.
/// </summary>
public sealed class HostileProgramTests : IDisposable
{
    private const long MaxBytes = 600_000_000;

    private readonly TempFolder folder = new();

    [Fact]
    public async Task Paths_of_half_a_gigabyte_are_refused_when_they_fill_the_memory()
    {
        WriteList(1 << 20, Entries());
        (int exitCode, string output, long peakBytes) = await MeasuredProgram.RunAsync("verify", folder.Path);
        Assert.Equal(ExitCodes.Incomplete, exitCode);
        Assert.Contains("take more memory", output, StringComparison.Ordinal);
        Assert.InRange(peakBytes, 0, MaxBytes);

        static IEnumerable<string> Entries()
        {
            // Each name differs, so that nothing is shared: names of 250 bytes in paths of 4,000.
            for (int i = 0; i < 130_000; i++)
            {
                string path = string.Concat(
                    Enumerable.Range(0, 16).Select(part => $"/{i:x8}{part:x2}{new string('p', 238)}")
                );
                yield return $$"""{"type":"Folder","path":"{{path}}/"}""";
            }
        }
    }

    [Fact]
    public async Task Blocks_that_a_list_only_declares_are_refused_when_they_fill_the_memory()
    {
        // 8 files of 16 TiB in blocks of 1 MiB: 16 Mi blocks each, of which there is none.
        string hash = Convert.ToBase64String(new byte[32]);
        string blocklists = string.Join(',', Enumerable.Repeat($"\"{hash}\"", 512));
        WriteList(
            1 << 20,
            Enumerable
                .Range(0, 8)
                .Select(i =>
                    $$"""{"type":"File","path":"/data/{{i}}","hash":"{{hash}}","size":{{16L << 40}},"blocklists":[{{blocklists}}]}"""
                )
        );
        (int exitCode, string output, long peakBytes) = await MeasuredProgram.RunAsync("verify", folder.Path);
        Assert.Equal(ExitCodes.Incomplete, exitCode);
        Assert.Contains("blocks with this entry", output, StringComparison.Ordinal);
        Assert.InRange(peakBytes, 0, MaxBytes);
    }

    [Theory]
    [InlineData("--restore-legacy=false")]
    [InlineData("--restore-legacy=true")]
    public async Task Blocks_of_the_longest_length_that_decode_from_almost_nothing_come_one_by_one(string flow)
    {
        LargeVolumeBackup.Write(folder.Path, 128 << 20, blocks: 8, isDeflated: true);
        (int exitCode, string output, long peakBytes) = await MeasuredProgram.RunAsync("verify", folder.Path, flow);
        Assert.True(exitCode == ExitCodes.Complete, output);
        Assert.InRange(peakBytes, 0, MaxBytes);
    }

    [Fact]
    public async Task Large_volumes_leave_room_to_large_blocks()
    {
        // Each volume is just short enough to be read whole, and has one block of 128 MiB made of
        // almost nothing.
        LargeVolumeBackup.Write(
            folder.Path,
            128 << 20,
            Enumerable.Repeat(Enumerable.Repeat((1 << 20, false), 198).Prepend((128 << 20, true)), 3)
        );
        (int exitCode, string output, long peakBytes) = await MeasuredProgram.RunAsync("verify", folder.Path);
        Assert.True(exitCode == ExitCodes.Complete, output);
        Assert.InRange(peakBytes, 0, MaxBytes);
    }

    [Fact]
    public async Task Buffers_of_the_largest_volumes_do_not_stay_beside_those_of_many_smaller_ones()
    {
        // So many smaller volumes are in memory together as two of the largest; none of them fits
        // the buffer of a large one well.
        IEnumerable<int> volumes = [.. Enumerable.Repeat(198, 2), .. Enumerable.Repeat(45, 20)];
        LargeVolumeBackup.Write(
            folder.Path,
            1 << 20,
            volumes.Select(blocks => Enumerable.Repeat((1 << 20, false), blocks))
        );
        (int exitCode, string output, long peakBytes) = await MeasuredProgram.RunAsync("verify", folder.Path);
        Assert.True(exitCode == ExitCodes.Complete, output);
        Assert.InRange(peakBytes, 0, MaxBytes);
    }

    [Fact]
    [NeedsGpg]
    public async Task Long_texts_that_gpg_makes_of_almost_nothing_come_one_by_one()
    {
        // A message of 64 KiB may have a text of 64 MiB, and there are as many decryptions at a
        // time as volumes.
        const int Volumes = 9;
        LargeVolumeBackup.Write(
            folder.Path,
            1 << 20,
            Enumerable.Repeat(Enumerable.Repeat((1 << 20, false), 62), Volumes)
        );
        await Parallel.ForEachAsync(
            Directory.GetFiles(folder.Path),
            TestContext.Current.CancellationToken,
            async (volume, token) =>
            {
                // Of an archive that is not its standard input gpg sees that it is one, and
                // compresses nothing.
                const string Encrypt =
                    "gpg --batch --quiet --no-options --no-keyring --no-random-seed-file --pinentry-mode loopback --passphrase p"
                    + " --s2k-count 65536 --compress-algo zip -z 1 --symmetric <\"$0\" >\"$0.gpg\"";
                ProcessStartInfo start = new("sh", ["-c", Encrypt, volume]) { RedirectStandardInput = true };
                using Process gpg = Process.Start(start)!;
                try
                {
                    gpg.StandardInput.Close();
                    await gpg.WaitForExitAsync(token).WaitAsync(MeasuredProgram.Patience, token);
                    Assert.Equal(0, gpg.ExitCode);
                    File.Delete(volume);
                }
                finally
                {
                    gpg.Kill(entireProcessTree: true);
                }
            }
        );

        (int exitCode, string output, long peakBytes) = await MeasuredProgram.RunAsync(
            "verify",
            folder.Path,
            "--passphrase=p",
            $"--restore-volume-decryptors={Volumes}"
        );
        Assert.True(exitCode == ExitCodes.Complete, output);
        Assert.InRange(peakBytes, 0, MaxBytes / 2);
    }

    [Fact]
    public async Task Longer_blocks_are_refused_unless_an_option_allows_them()
    {
        LargeVolumeBackup.Write(folder.Path, 130 << 20, blocks: 2, isDeflated: true);
        (int exitCode, string output, long peakBytes) = await MeasuredProgram.RunAsync("verify", folder.Path);
        Assert.Equal(ExitCodes.Incomplete, exitCode);
        Assert.Contains("Its blocks are 136,314,880 bytes long", output, StringComparison.Ordinal);
        Assert.Contains("--max-block-size", output, StringComparison.Ordinal);
        Assert.InRange(peakBytes, 0, MaxBytes / 2);
        Assert.Equal(
            ExitCodes.Complete,
            (await MeasuredProgram.RunAsync("verify", folder.Path, "--max-block-size=130mb")).ExitCode
        );
    }

    [Fact]
    public async Task A_volume_that_is_longer_than_the_memory_it_may_take_is_read_in_parts()
    {
        LargeVolumeBackup.Write(folder.Path, 1 << 20, blocks: 1200);
        (int exitCode, string output, long peakBytes) = await MeasuredProgram.RunAsync("verify", folder.Path);
        Assert.True(exitCode == ExitCodes.Complete, output);
        Assert.InRange(peakBytes, 0, MaxBytes);
    }

    public void Dispose() => folder.Dispose();

    /// <summary>
    /// Writes a list as a stream: a test that held it in memory would need as much as it tests
    /// against.
    /// </summary>
    private void WriteList(int blockSizeBytes, IEnumerable<string> entries)
    {
        using FileStream file = File.Create(Path.Join(folder.Path, $"duplicati-{MadeBackup.Time}.dlist.zip"));
        using ZipArchive archive = new(file, ZipArchiveMode.Create);
        BlockLayout layout = new(blockSizeBytes, HashKind.Sha256, HashKind.Sha256);
        using (Stream manifest = archive.CreateEntry("manifest").Open())
        {
            manifest.Write(Manifest.Write(layout, new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero), "2.3.0.0"));
        }

        UTF8Encoding plain = new(encoderShouldEmitUTF8Identifier: false);
        using StreamWriter list = new(archive.CreateEntry("filelist.json", CompressionLevel.Fastest).Open(), plain);
        list.Write('[');
        bool isFirst = true;
        foreach (string entry in entries)
        {
            list.Write(isFirst ? "" : ",");
            list.Write(entry);
            isFirst = false;
        }

        list.Write(']');
    }
}
