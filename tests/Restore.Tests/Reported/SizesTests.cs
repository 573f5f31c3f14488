using System.Text.Json;
using System.Text.Json.Nodes;
using Restore.Cli;
using Restore.Format;
using Restore.Tests.Cli;
using Restore.Tests.FixtureTests;
using Restore.Tests.Restoring;
using Restore.Tests.Trust;

namespace Restore.Tests.Reported;

/// <summary>
/// Sizes in a file list whose sum is too large for a number: nothing is negative, and nothing fails
/// but the entries that claim them.
/// </summary>
public sealed class SizesTests : IDisposable
{
    private static readonly TimeSpan MaxTime = TimeSpan.FromSeconds(30);
    private static readonly byte[] Content = MadeVersion.Content(1, 3000);

    // Large blocks: a list with few blocklists can claim the largest size.
    private const int BlockSizeBytes = 1 << 30;

    private readonly MadeBackup backup = new(BlockSizeBytes);

    public SizesTests()
    {
        BlockLayout layout = new(BlockSizeBytes, HashKind.Sha256, HashKind.Sha256);
        long[] sizes = [long.MaxValue, long.MaxValue, 1L << 62, long.MaxValue - 1023];
        for (int i = 0; i < sizes.Length; i++)
        {
            JsonObject entry = backup.File($"/data/huge{i}", Content, MadeBackup.Metadata());
            entry["size"] = sizes[i];
            int lists = (int)layout.BlocklistCount(sizes[i]);
            entry["blocklists"] = new JsonArray([
                .. Enumerable.Repeat(entry["hash"]!.GetValue<string>(), lists).Select(hash => JsonValue.Create(hash)),
            ]);
        }

        backup.File("/data/sound", Content, MadeBackup.Metadata());
        backup.Write();
    }

    [Theory]
    [InlineData("--dry-run", "--json")]
    [InlineData("--dry-run", "--list-volumes")]
    [InlineData("verify", "--json")]
    [InlineData("ls", "--json")]
    [InlineData("ls", "--quiet")]
    [InlineData("find", "--json")]
    public async Task No_command_shows_a_negative_number_or_fails(string command, string option)
    {
        string[] arguments = command switch
        {
            "--dry-run" => [backup.Source, command, option, $"--restore-path={backup.Target}"],
            "find" => [command, backup.Source, "huge0", option],
            _ => [command, backup.Source, option],
        };
        CliRun run = await CliRun.OfAsync(arguments).WaitAsync(MaxTime);
        Assert.DoesNotContain("Unexpected", run.Error, StringComparison.Ordinal);
        Assert.Equal(command is "ls" or "find" ? ExitCodes.Complete : ExitCodes.Incomplete, run.ExitCode);
        foreach (string line in option == "--json" ? run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries) : [])
        {
            using JsonDocument json = JsonDocument.Parse(line);
            AssertNotNegative(json.RootElement);
        }
    }

    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task The_sound_file_is_restored_and_each_other_one_is_refused(Flow flow)
    {
        RestoreReport report = await backup.RestoreAsync(flow).WaitAsync(MaxTime);
        Assert.Equal(1, report.FilesRestored);
        Assert.Equal(4, report.Issues.Count(issue => issue.Kind == IssueKind.Refused));
    }

    [Fact]
    public async Task An_export_gives_the_sound_file_and_reports_the_others()
    {
        Sink sink = new();
        await using Backup opened = await Backup.OpenAsync(backup.Source);
        ExportReport report = await opened.ExportAsync(opened.Versions[0], sink).WaitAsync(MaxTime);
        Assert.Equal(["/data/sound"], sink.Whole);
        Assert.Equal((1, 3000L), (report.Files, report.Bytes));
        Assert.Equal(4, report.Issues.Select(issue => issue.Path).Distinct().Count());
    }

    [Fact]
    public async Task A_stream_of_such_a_file_says_what_is_wrong()
    {
        await using Backup opened = await Backup.OpenAsync(backup.Source);
        await Assert
            .ThrowsAnyAsync<Exception>(async () =>
            {
                await using Stream stream = await opened.OpenEntryAsync(opened.Versions[0], "/data/huge0");
                stream.Position = stream.Length - 10;
                await stream.ReadExactlyAsync(new byte[10]);
            })
            .WaitAsync(MaxTime);
    }

    public void Dispose() => backup.Dispose();

    private static void AssertNotNegative(JsonElement element)
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.Number:
                Assert.InRange(element.GetDouble(), 0, double.MaxValue);
                break;
            case JsonValueKind.Array:
                element.EnumerateArray().ToList().ForEach(AssertNotNegative);
                break;
            case JsonValueKind.Object:
                element.EnumerateObject().ToList().ForEach(property => AssertNotNegative(property.Value));
                break;
        }
    }

    private sealed class Sink : IEntrySink
    {
        public List<string> Whole { get; } = [];

        public async ValueTask TakeAsync(ExportedEntry entry, Stream content, CancellationToken cancellationToken)
        {
            byte[] buffer = new byte[4096];
            while (await content.ReadAsync(buffer, cancellationToken) > 0)
            {
                // A file whose bytes are lost throws.
            }

            Whole.Add(entry.Entry.Path);
        }
    }
}
