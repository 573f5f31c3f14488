using System.Security.Cryptography;
using System.Text.Json;
using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>One file or folder in all versions.</summary>
public sealed class HistoryCommandTests : IDisposable
{
    private readonly TempFolder folder = new();

    private string Source => Path.Combine(folder.Path, "source", "a [b]");

    private string Store => Path.Combine(folder.Path, "backup");

    [Fact]
    public async Task It_shows_where_a_file_and_its_folder_changed()
    {
        await WriteAsync("other", "x");
        await WriteAsync("file", "first");
        await WriteAsync("other", "xx");
        await WriteAsync("file", "second");
        File.Delete(Path.Combine(Source, "file"));
        await WriteAsync("other", "xxx");

        var file = await HistoryAsync(Path.Combine(Source, "file"));
        Assert.Equal(
            ["removed", "changed", "same", "new", "absent"],
            file.Select(line => line.GetProperty("change").GetString())
        );
        Assert.Equal(Convert.ToHexStringLower(SHA256.HashData("second"u8)), file[1].GetProperty("hash").GetString());
        Assert.Equal(5, file[2].GetProperty("bytes").GetInt64());
        var all = await HistoryAsync(Source);
        Assert.Equal(
            ["changed", "changed", "changed", "changed", "new"],
            all.Select(line => line.GetProperty("change").GetString())
        );
        Assert.Equal([1L, 2, 2, 2, 1], all.Select(line => line.GetProperty("files").GetInt64()));
        Assert.Equal(
            all.Select(line => line.GetRawText()),
            (await HistoryAsync(Source + "/")).Select(line => line.GetRawText())
        );
    }

    [Fact]
    public async Task It_is_a_line_for_each_version_and_an_unknown_path_is_an_error()
    {
        await WriteAsync("file", "first");
        var run = await CliRun.OfAsync("history", Store, Path.Combine(Source, "file"));
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Matches(@"^new      version   0 of .*  5 bytes, modified .*  [0-9a-f]{64}\n$", run.Output);
        Assert.Equal(run.Output, (await CliRun.OfAsync("history", Store, "file")).Output);
        Assert.Equal(ExitCodes.NotFound, (await CliRun.OfAsync("history", Store, "/no/such/file")).ExitCode);
        Assert.Equal(ExitCodes.Usage, (await CliRun.OfAsync("history", Store)).ExitCode);
    }

    public void Dispose() => folder.Dispose();

    private async Task<List<JsonElement>> HistoryAsync(string path)
    {
        var run = await CliRun.OfAsync("history", Store, path, "--json");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        return [.. run.Output.TrimEnd('\n').Split('\n').Select(line => JsonDocument.Parse(line).RootElement.Clone())];
    }

    private async Task WriteAsync(string name, string content)
    {
        Directory.CreateDirectory(Source);
        await File.WriteAllTextAsync(Path.Combine(Source, name), content);
        await new BackupWriter(
            new BackupWriterOptions
            {
                Sources = [Path.Combine(folder.Path, "source")],
                Destination = Store,
                BlockSizeBytes = 1024,
                Time = DateTimeOffset
                    .UnixEpoch.AddYears(50)
                    .AddDays(Directory.Exists(Store) ? Directory.GetFiles(Store).Length : 0),
            }
        ).WriteAsync();
    }
}
