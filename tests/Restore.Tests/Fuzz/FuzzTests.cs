using System.Globalization;
using System.Text;
using Restore.Format;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Fuzz;

/// <summary>
/// Mutated backups: whatever the bytes, a run ends with a report or an error of the library, needs
/// little memory, touches nothing outside of the target, and reports no wrong byte as restored.
/// RESTORE_FUZZ_SECONDS says how long, RESTORE_FUZZ_SEED where to begin; with 0 seconds one seed
/// runs alone.
/// </summary>
[Collection(nameof(Alone))]
public sealed class FuzzTests
{
    private const long MaxGrowthBytes = 600L << 20;

    [Fact]
    public async Task A_mutated_backup_is_restored_as_far_as_it_is_sound_or_refused()
    {
        int first = Number("RESTORE_FUZZ_SEED", 1);
        TimeSpan time = TimeSpan.FromSeconds(Number("RESTORE_FUZZ_SECONDS", 15));
        FuzzSubject[] subjects = FuzzSubject.All();
        Assert.NotEmpty(subjects);
        SortedDictionary<string, int> ends = new(StringComparer.Ordinal);
        List<string> wrong = [];
        long bytes = 0;
        long start = TimeProvider.System.GetTimestamp();
        int seed = first;
        for (; seed == first || TimeProvider.System.GetElapsedTime(start) < time; seed++)
        {
            FuzzRun run = new(subjects[new Random(seed).Next(subjects.Length)], seed);
            PeakMemory peak = new();
            try
            {
                string end = await run.RunAsync();
                ends[end] = ends.GetValueOrDefault(end) + 1;
                Assert.InRange(peak.GrowthBytes, long.MinValue, MaxGrowthBytes);
            }
            catch (Exception failure)
            {
                wrong.Add(string.Create(CultureInfo.InvariantCulture, $"Seed {seed}: {run.Text}: {failure}"));
            }

            bytes += run.Bytes;
        }

        TestContext.Current.TestOutputHelper?.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"Seeds {first} to {seed - 1}, {bytes} bytes mutated: {string.Join(", ", ends)}"
            )
        );
        Assert.True(wrong.Count == 0, $"{wrong.Count} of {seed - first} seeds:\n{string.Join('\n', wrong.Take(10))}");
    }

    [Fact]
    public void Mutated_metadata_never_causes_an_exception()
    {
        byte[] sound = Encoding.UTF8.GetBytes(
            """
            {"CoreLastWritetime":"638396640000000000","CoreCreatetime":"638396640000000000","CoreAttributes":"Normal, ReadOnly","CoreSymlinkTarget":"a/b",
            "unix:uid-gid-perm":"1000-1000-33188","unix:owner-name":"user","unix:group-name":"group","unix-ext:user.note":"a2VwdA==","macos:flags":"0"}
            """
        );
        for (int seed = 0; seed < 20_000; seed++)
        {
            EntryMetadata.Parse(Mutation.Of(sound, new Random(seed)));
        }
    }

    private static int Number(string variable, int otherwise) =>
        int.TryParse(
            Environment.GetEnvironmentVariable(variable),
            NumberStyles.None,
            CultureInfo.InvariantCulture,
            out int number
        )
            ? number
            : otherwise;
}
