using System.Text;
using System.Text.Json;
using Restore.Cli;

namespace Restore.Tests.Trust;

/// <summary>
/// Small backups that were made to fill the memory: a restore by the program ends clearly, within a
/// bound.
/// </summary>
public sealed class HostileMemoryTests
{
    private const long MaxBytes = 400L << 20;

    [Theory]
    [InlineData("--restore-legacy=false")]
    [InlineData("--restore-legacy=true")]
    public async Task Folders_that_share_large_extended_attributes_keep_them_once(string flow)
    {
        byte[] metadata = MadeBackup.Metadata(("unix-ext:user.large", Convert.ToBase64String(new byte[600_000])));
        using MadeBackup backup = new(blockSizeBytes: 1 << 20);
        for (int i = 0; i < 2000; i++)
        {
            backup.Folder($"/data/{i}/", metadata);
        }

        JsonElement report = await RestoreAsync(backup.Write(), flow);
        Assert.Equal(2000, report.GetProperty("folders").GetInt32());
    }

    [Theory]
    [InlineData("--restore-legacy=false")]
    [InlineData("--restore-legacy=true")]
    public async Task Files_that_share_a_large_blob_while_their_content_is_away_hold_it_once(string flow)
    {
        byte[] metadata = MadeBackup.Metadata(("unix-ext:user.large", Convert.ToBase64String(new byte[600_000])));
        using MadeBackup backup = new(blockSizeBytes: 1 << 20);
        backup.Folder("/data/", metadata);
        for (int i = 0; i < 2000; i++)
        {
            backup.File($"/data/{i}", Encoding.ASCII.GetBytes($"content {i}"), metadata);
        }

        JsonElement report = await RestoreAsync(backup.Write(), flow, "--restore-cache-max=0b");
        Assert.Equal(2000, report.GetProperty("files").GetInt32());
    }

    [Theory]
    [InlineData("{}", "no path")]
    [InlineData("1", "JSON object")]
    public async Task A_list_of_millions_of_empty_entries_ends_with_what_is_wrong(string entry, string reason)
    {
        byte[] list = Encoding.ASCII.GetBytes($"[{string.Join(',', Enumerable.Repeat(entry, 2_000_000))}]");
        using MadeBackup backup = new();
        backup.Write();
        backup.WriteList(json: list);
        JsonElement report = await RestoreAsync(backup);
        Assert.Equal(ExitCodes.Failed, report.GetProperty("exitCode").GetInt32());
        Assert.Contains(reason, report.GetProperty("error").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Paths_of_a_megabyte_are_refused_one_by_one()
    {
        string deep = string.Concat(Enumerable.Repeat("a/", 500_000));
        string list = string.Join(
            ',',
            Enumerable.Range(0, 150).Select(i => $$"""{"type":"Folder","path":"/data/{{i}}/{{deep}}"}""")
        );
        string half = string.Concat(Enumerable.Repeat("a/", 40_000));
        string lesser = string.Join(
            ',',
            Enumerable.Range(0, 150).Select(i => $$"""{"type":"Folder","path":"/data/{{i}}/{{half}}"}""")
        );
        using MadeBackup backup = new();
        backup.Write();
        backup.WriteList(
            json: Encoding.ASCII.GetBytes($$"""[{"type":"Folder","path":"/data/sound/"},{{list}},{{lesser}}]""")
        );
        JsonElement report = await RestoreAsync(backup);
        Assert.Equal(1, report.GetProperty("folders").GetInt32());
        Assert.Equal(
            300,
            report
                .GetProperty("issues")
                .EnumerateArray()
                .Count(issue => issue.GetProperty("kind").GetString() == "refused")
        );
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task An_index_volume_that_lists_millions_of_blocks_is_read_in_parts(bool areVolumesThere)
    {
        const int Volumes = 60;
        using MadeBackup backup = new();
        backup.File("/data/file", "content"u8.ToArray());
        backup.Write();
        string[] names = [.. Enumerable.Range(0, Volumes).Select(i => $"duplicati-b{i:x32}.dblock.zip")];
        if (areVolumesThere)
        {
            Array.ForEach(names, name => File.WriteAllText(Path.Join(backup.Source, name), "PK"));
        }

        // The name makes it the first index that is read.
        string block = $$"""{"hash":"{{MadeBackup.Hash([])}}","size":1}""";
        byte[] list = Encoding.ASCII.GetBytes(
            $$"""{"blocks":[{{string.Join(',', Enumerable.Repeat(block, 250_000))}}]}"""
        );
        backup.WriteArchive($"duplicati-i{0:x32}.dindex.zip", names.Select(name => ("vol/" + name, list)));

        JsonElement report = await RestoreAsync(backup);
        Assert.Equal(1, report.GetProperty("files").GetInt32());
        Assert.Equal(areVolumesThere ? 0 : 11, report.GetProperty("issues").GetArrayLength());
    }

    /// <summary>The report of a restore by the program, which stays within its bound.</summary>
    private static async Task<JsonElement> RestoreAsync(MadeBackup backup, params string[] options)
    {
        string file = Path.Join(Path.GetDirectoryName(backup.Target), "report.json");
        (_, string output, long peakBytes) = await MeasuredProgram.RunAsync([
            "restore",
            backup.Source,
            "--target",
            backup.Target,
            "--report",
            file,
            "--quiet",
            .. options,
        ]);
        Assert.True(File.Exists(file), output);
        Assert.InRange(peakBytes, 0, MaxBytes);
        return JsonElement.Parse(await File.ReadAllBytesAsync(file, TestContext.Current.CancellationToken));
    }
}
