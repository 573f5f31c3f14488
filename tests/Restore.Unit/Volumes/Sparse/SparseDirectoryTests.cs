using System.Text;
using Restore.Compression;
using Restore.Tests.Compression;
using Restore.Tests.Reading;
using Restore.Volumes;

namespace Restore.Tests.Volumes.Sparse;

public sealed class SparseDirectoryTests
{
    [Fact]
    public void It_has_every_entry_with_its_name()
    {
        SparseDirectory directory = SparseParts.Directory();
        Assert.Equal(
            SparseParts.Blocks.Select(MadeVolumes.NameOf),
            directory.Entries.ToArray().Select(entry => Encoding.ASCII.GetString(directory.NameOf(entry)))
        );
    }

    [Fact]
    public void The_range_of_an_entry_ends_at_the_next_entry_and_that_of_the_last_at_the_directory()
    {
        SparseDirectory directory = SparseParts.Directory();
        ReadRange[] ranges = [.. directory.Entries.ToArray().Select(entry => directory.RangeOf(entry))];
        Assert.Equal(ranges[1..].Select(range => range.From), ranges[..^1].Select(range => range.To));
        Assert.Equal(0, ranges[0].From);
        Assert.True(SparseParts.Archive.AsSpan((int)ranges[^1].To).StartsWith("PK\x01\x02"u8));
    }

    [Fact]
    public void Over_a_gap_the_run_of_an_entry_goes_no_further_than_its_header_can_be_long()
    {
        ZipBuilder zip = new();
        zip.Add("a", new byte[100], stored: true).AddRaw(new byte[200_000]).Add("b", new byte[100], stored: true);
        SparseDirectory directory = SparseParts.Directory(zip.Finish());
        Assert.Equal(new ReadRange(0, 30 + 1 + 100 + ushort.MaxValue), directory.RangeOf(directory.Entries[0]));
    }

    [Fact]
    public void Runs_have_every_entry_once_and_about_the_length_that_is_asked_for()
    {
        const int RunBytes = 10_000;
        Random random = new(1);
        ZipBuilder zip = new();
        for (int entry = 0; entry < 500; entry++)
        {
            zip.Add(
                $"{entry:D3}",
                new byte[
                    random.Next(10) switch
                    {
                        0 => 30_000,
                        < 4 => RunBytes,
                        _ => random.Next(RunBytes),
                    }
                ],
                stored: true
            );
        }

        SparseDirectory directory = SparseParts.Directory(zip.Finish());
        List<EntryRun> runs = directory.Runs(RunBytes);
        int next = 0;
        foreach (EntryRun run in runs)
        {
            Assert.Equal(next, run.First);
            next += run.Count;
            Assert.True(run.Count == 1 || run.LengthBytes <= RunBytes / 2 * 3, $"{run}");
        }

        Assert.Equal(500, next);
        Assert.InRange(runs.Count(run => run.LengthBytes < RunBytes / 2), 0, runs.Count / 10);
    }

    [Fact]
    public void It_can_be_walked_as_an_archive()
    {
        using Archive archive = SparseParts.Directory().Open(Compression.Volumes.Native);
        int count = 0;
        while (archive.MoveNext(out _))
        {
            count++;
        }

        Assert.Equal(SparseParts.Blocks.Length, count);
    }
}
