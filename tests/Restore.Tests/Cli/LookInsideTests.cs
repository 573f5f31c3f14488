using System.Text;
using System.Text.Json;
using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>Encryption that only the contents of files show.</summary>
public sealed class LookInsideTests : IDisposable
{
    private const int Files = 60;

    private readonly TempFolder folder = new();
    private readonly Random chance = new(11);
    private int day;

    private string Source => Path.Combine(folder.Path, "source");

    private string Store => Path.Combine(folder.Path, "backup");

    public static IReadOnlyList<string> Options => ["--look-inside"];

    public static TheoryData<string> Attacks() => ["beginnings", "pages", "whole", "archives"];

    [Theory]
    [MemberData(nameof(Attacks))]
    public async Task A_few_encrypted_files_a_day_are_seen_inside_and_not_by_lists(string attack)
    {
        await LiveAsync();
        for (var n = 0; n < 3; n++)
        {
            Encrypt(NameOf((n * 4) + (attack == "archives" ? 0 : 1)), attack);
        }

        await BackUpAsync();
        Assert.Equal("good", (await AssessAsync()).GetProperty("versions")[0].GetProperty("verdict").GetString());
        var found = await AssessAsync("--look-inside");
        var newest = found.GetProperty("versions")[0];
        Assert.Equal("suspect", newest.GetProperty("verdict").GetString());
        Assert.Contains(
            "looked into are encrypted",
            newest.GetProperty("reasons")[0].GetString(),
            StringComparison.Ordinal
        );
        Assert.Equal(1, found.GetProperty("recommended").GetInt32());
        Assert.True(found.GetProperty("filesLookedInto").GetInt32() >= 3);

        var target = Path.Combine(folder.Path, "out");
        var run = await CliRun.OfAsync(Store, "--last-good", "--look-inside", "-t", target);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.StartsWith(
            attack == "archives" ? "PK" : "line ",
            File.ReadAllText(Path.Combine(target, NameOf(attack == "archives" ? 0 : 1))),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Edits_are_not_called_encrypted()
    {
        await LiveAsync();
        var found = await AssessAsync("--look-inside");
        Assert.DoesNotContain(
            found.GetProperty("versions").EnumerateArray(),
            version => version.GetProperty("verdict").GetString() == "suspect"
        );
        Assert.True(found.GetProperty("filesLookedInto").GetInt32() > 10);
    }

    [Fact]
    public async Task A_dry_run_says_what_would_be_fetched_and_fetches_nothing()
    {
        await LiveAsync();
        var run = await CliRun.OfAsync("assess", Store, "--look-inside", "--dry-run", "--json");
        var found = JsonDocument.Parse(run.Output).RootElement;
        Assert.True(found.GetProperty("insideBytes").GetInt64() > 10_000);
        Assert.Equal(0, found.GetProperty("filesLookedInto").GetInt32());
        Assert.Contains("Looking inside would fetch about", run.Error, StringComparison.Ordinal);
        var usage = await CliRun.OfAsync(Store, "--look-inside", "-t", Path.Combine(folder.Path, "out"));
        Assert.Equal(ExitCodes.Usage, usage.ExitCode);
    }

    public void Dispose() => folder.Dispose();

    /// <summary>Every fourth file is an archive, the others are text.</summary>
    private static string NameOf(int n) => n % 4 == 0 ? $"letters/f{n}.docx" : $"notes/f{n}.txt";

    private async Task LiveAsync()
    {
        for (var n = 0; n < Files; n++)
        {
            Write(NameOf(n), n % 4 == 0 ? Archive(9000 + (n * 10)) : Text(30_000 + (n * 100)));
        }

        await BackUpAsync();
        for (var version = 0; version < 5; version++)
        {
            for (var n = 0; n < 4; n++)
            {
                var file = NameOf((version * 4) + n);
                Write(
                    file,
                    file.EndsWith(".docx", StringComparison.Ordinal) ? Archive(9500) : Text(29_000 + (n * 900))
                );
            }

            await BackUpAsync();
        }
    }

    private byte[] Archive(int length)
    {
        var bytes = new byte[length];
        chance.NextBytes(bytes);
        "PK\u0003\u0004"u8.CopyTo(bytes);
        return bytes;
    }

    private byte[] Text(int length)
    {
        var text = new StringBuilder();
        while (text.Length < length)
        {
            text.Append("line ").Append(chance.Next(100_000)).Append(" of the notes, with words\n");
        }

        return Encoding.ASCII.GetBytes(text.ToString(0, length));
    }

    private void Encrypt(string name, string attack)
    {
        var path = Path.Combine(Source, name);
        var bytes = File.ReadAllBytes(path);
        if (attack is "whole" or "archives")
        {
            chance.NextBytes(bytes);
        }
        else if (attack == "beginnings")
        {
            chance.NextBytes(bytes.AsSpan(0, 8192));
        }
        else
        {
            for (var at = 4096; at + 4096 <= bytes.Length; at += 3 * 4096)
            {
                chance.NextBytes(bytes.AsSpan(at, 4096));
            }
        }

        File.WriteAllBytes(path, bytes);
    }

    private void Write(string name, byte[] content)
    {
        var path = Path.Combine(Source, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, content);
    }

    private async Task<JsonElement> AssessAsync(params string[] options)
    {
        var run = await CliRun.OfAsync(["assess", Store, "--json", .. options]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        return JsonDocument.Parse(run.Output).RootElement;
    }

    private async Task BackUpAsync() =>
        await new BackupWriter(
            new BackupWriterOptions
            {
                Sources = [Source],
                Destination = Store,
                TimeProvider = new FakeClock
                {
                    StartsAt = new DateTimeOffset(2024, 5, 1 + day++, 12, 0, 0, TimeSpan.Zero),
                },
            }
        ).WriteAsync();
}
