using Restore.Tests.Ends;

namespace Restore.Tests.FixtureTests;

/// <summary>
/// From a damaged backup everything that survives is restored, and the report has exactly the
/// losses.
/// </summary>
public sealed class DamagedFixtureTests(SourceTrees sources) : IClassFixture<SourceTrees>
{
    public static TheoryData<string, int, Flow> Cases()
    {
        TheoryData<string, int, Flow> cases = [];
        foreach (
            (string name, int version, Flow flow) in from name in FixtureCatalog.Damaged
            from version in FixtureCatalog.BackupsOf(name).Single().Versions
            from flow in Enum.GetValues<Flow>()
            select (name, version.Index, flow)
        )
        {
            cases.Add(name, version, flow);
        }

        return cases;
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task All_that_survives_is_restored_and_losses_are_reported(string fixture, int version, Flow flow)
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).Single();
        using TempFolder folder = new();
        Task<RestoreReport> restore = FixtureRestore.RunAsync(
            backup,
            version,
            FixtureRestore.Whole(folder.Root).By(flow)
        );
        if (Loss.Unavoidable(backup, version) is not Loss[] losses)
        {
            if (IsCut(fixture, version))
            {
                RestoreReport part = await restore;
                Assert.Contains(part.Issues, issue => issue.Code == IssueCode.FileListIncomplete);
                Assert.False(part.IsComplete);
                IEnumerable<string> differences = RestoredTree.Differences(
                    ExpectedTree.Load(backup.Versions[version].ExpectedFile!) with
                    {
                        IsComplete = false,
                    },
                    RestoredTree.Read(folder.Root),
                    TreeChecks.Content
                );
                Assert.All(differences, difference => Assert.Contains("missing", difference, StringComparison.Ordinal));
                return;
            }

            RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => restore);
            Assert.Contains(backup.Versions[version].FileListName, failure.Message, StringComparison.Ordinal);
            Assert.False(Directory.Exists(folder.Root) && Directory.EnumerateFileSystemEntries(folder.Root).Any());
            return;
        }

        RestoreReport report = await restore;
        Assert.All(report.Issues, issue => Assert.False(issue.Reason.EndsWith('.'), issue.Reason));
        Assert.Equal(Lines(losses), Lines(Loss.Reported(backup, report)));
        Assert.Equal(losses.Length == 0, report.IsComplete);
        Dictionary<string, Loss> lossOf = losses.ToDictionary(loss => loss.Path);
        RestoredTree.AssertEqual(
            backup.Versions[version].ExpectedFile!,
            folder.Root,
            backup.Checks,
            lossOf.ContainsKey
        );
        await AssertTheRestSurvivedAsync(backup, version, folder.Root, lossOf);
    }

    [Theory]
    [InlineData("all-dindex-missing-aes", "duplicati-b4676d68b32f04c94957707220f2ff49e.dblock.zip.aes")]
    [InlineData("block-size-wrong-in-dindex-plain", "duplicati-b9f8da475daa54439bdc58a0ef0cc18bc.dblock.zip")]
    [InlineData("blocklist-wrong-in-dindex-plain", "duplicati-id28c8099f9b54ebca40b0414d823b7f1.dindex.zip")]
    [InlineData("dblock-directory-lost-plain", "duplicati-b9f8da475daa54439bdc58a0ef0cc18bc.dblock.zip")]
    [InlineData("dblock-empty-plain", "duplicati-b9f8da475daa54439bdc58a0ef0cc18bc.dblock.zip")]
    [InlineData("dblock-flipped-byte-aes", "duplicati-b4676d68b32f04c94957707220f2ff49e.dblock.zip.aes")]
    [InlineData("dblock-flipped-byte-plain", "duplicati-b9f8da475daa54439bdc58a0ef0cc18bc.dblock.zip")]
    [InlineData("dblock-garbage-plain", "duplicati-b5e3488b2821446649229351fc3a391fd.dblock.zip")]
    [InlineData("dblock-missing-plain", "duplicati-b9f8da475daa54439bdc58a0ef0cc18bc.dblock.zip")]
    [InlineData("dblock-truncated-aes", "duplicati-b4676d68b32f04c94957707220f2ff49e.dblock.zip.aes")]
    [InlineData("dindex-empty-plain", "duplicati-id28c8099f9b54ebca40b0414d823b7f1.dindex.zip")]
    [InlineData("dindex-garbage-aes", "duplicati-i479a049cc31049d188c36a3cd03de0fc.dindex.zip.aes")]
    [InlineData("dindex-missing-plain", "duplicati-b9f8da475daa54439bdc58a0ef0cc18bc.dblock.zip")]
    [InlineData("dindex-silent-plain", "duplicati-id28c8099f9b54ebca40b0414d823b7f1.dindex.zip")]
    [InlineData("dindex-truncated-plain", "duplicati-id28c8099f9b54ebca40b0414d823b7f1.dindex.zip")]
    [InlineData("manifest-missing-in-dlist-plain", "duplicati-20261121T133049Z.dlist.zip")]
    [InlineData("manifest-missing-in-volumes-plain", "duplicati-id28c8099f9b54ebca40b0414d823b7f1.dindex.zip")]
    [InlineData("orphan-dblock-plain", "duplicati-b00112233445566778899aabbccddeeff.dblock.zip")]
    [InlineData("volume-hash-wrong-plain", "duplicati-id28c8099f9b54ebca40b0414d823b7f1.dindex.zip")]
    public async Task A_defect_is_reported_with_the_name_of_the_volume(string fixture, string volume)
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf($"damaged/{fixture}").Single();
        using TempFolder folder = new();
        RestoreReport report = await FixtureRestore.RunAsync(backup, 0, FixtureRestore.Whole(folder.Root));
        bool isReported = report.Issues.Any(issue =>
            issue.Kind == IssueKind.Warning && $"{issue.Path} {issue.Reason}".Contains(volume, StringComparison.Ordinal)
        );
        Assert.True(isReported, $"The report says:\n{Issues.Text(report)}");
    }

    /// <summary>
    /// Whether the list of a version is damaged at a place that shows, so that what comes before it
    /// is read.
    /// </summary>
    private static bool IsCut(string fixture, int version) =>
        version == 0 && fixture is "damaged/newest-dlist-truncated-plain" or "damaged/newest-dlist-corrupt-plain";

    private static string[] Lines(IEnumerable<Loss> losses) =>
        [.. losses.Select(loss => loss.ToString()).Order(StringComparer.Ordinal)];

    /// <summary>
    /// Entries with losses have the rest: the bytes outside of the lost ranges, and the metadata
    /// unless it is lost.
    /// </summary>
    private async Task AssertTheRestSurvivedAsync(
        FixtureBackup backup,
        int version,
        string restored,
        Dictionary<string, Loss> lossOf
    )
    {
        string source = await sources.FolderAsync(backup.Base, version);
        IReadOnlyDictionary<string, TreeEntry> found = RestoredTree.Read(restored);
        ExpectedTree expected = ExpectedTree.Load(backup.Versions[version].ExpectedFile!);
        foreach (TreeEntry wanted in expected.Entries.Where(entry => lossOf.ContainsKey(entry.Path)))
        {
            Loss loss = lossOf[wanted.Path];
            if (wanted.Type == "symlink" || IsGone(loss, wanted))
            {
                Assert.DoesNotContain(wanted.Path, found.Keys);
                continue;
            }

            // A file that is not whole has the time of its restore, so that nothing takes it for
            // the right one.
            bool isWhole = loss.Ranges.Count == 0 && !loss.IsUnverified;
            TreeChecks checks =
                loss.Metadata ? TreeChecks.Content
                : isWhole ? backup.Checks
                : backup.Checks & ~TreeChecks.Times;
            TreeEntry contentAside = wanted with { Sha256 = loss.Ranges.Count > 0 ? null : wanted.Sha256 };
            Assert.Empty(RestoredTree.Differences(contentAside, found[wanted.Path], checks));
            Assert.True(isWhole || wanted.ModifiedTicks != found[wanted.Path].ModifiedTicks, wanted.Path);
            if (wanted.Type == "file")
            {
                AssertBytesOutside(
                    loss,
                    File.ReadAllBytes(Path.Combine(source, wanted.Path)),
                    File.ReadAllBytes(Path.Combine(restored, wanted.Path))
                );
            }
        }
    }

    private static bool IsGone(Loss loss, TreeEntry wanted) =>
        wanted.SizeBytes > 0 && loss.Ranges is [ByteRange only] && only == new ByteRange(0, wanted.SizeBytes.Value);

    private static void AssertBytesOutside(Loss loss, byte[] source, byte[] restored)
    {
        foreach (ByteRange range in loss.Ranges)
        {
            source.AsSpan((int)range.From, (int)(range.To - range.From)).Clear();
        }

        Assert.True(
            source.AsSpan().SequenceEqual(restored),
            $"Bytes of {loss.Path} outside of the lost ranges differ, or lost ones are not zeros."
        );
    }
}
