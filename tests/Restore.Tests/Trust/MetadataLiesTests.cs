using System.Text;
using Restore.Cli;
using Restore.Format;
using Restore.Tests.Cli;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Trust;

/// <summary>
/// Metadata that lies costs its own entry's metadata: never content, never another entry, never the
/// run.
/// </summary>
public sealed class MetadataLiesTests
{
    private static readonly byte[] Content = [.. Enumerable.Range(0, 3000).Select(number => (byte)(number * 7))];

    private static readonly Dictionary<string, byte[]> Lies = new()
    {
        ["a block of zeros"] = new byte[1024],
        ["three blocks of zeros"] = new byte[3 * 1024],
        ["a few zeros"] = new byte[100],
        ["zeros after a sound beginning"] =
        [
            .. new byte[1024].Select((_, i) => i == 0 ? (byte)'{' : (byte)' '),
            .. new byte[1024],
        ],
        ["no JSON"] = "<metadata/>"u8.ToArray(),
        ["an array"] = "[1,2,3]"u8.ToArray(),
        ["null"] = "null"u8.ToArray(),
        ["a number"] = "12"u8.ToArray(),
        ["a text"] = "\"text\""u8.ToArray(),
        ["cut short"] = "{\"CoreLastWritetime\":\"6383"u8.ToArray(),
        ["something after its end"] = "{}{}"u8.ToArray(),
        ["not UTF-8"] = [.. "{\"CoreSymlinkTarget\":\""u8, 0xFF, 0xC0, .. "\"}"u8],
        ["nested deeply"] = Encoding.ASCII.GetBytes(
            "{\"CoreLastWritetime\":" + new string('[', 3000) + new string(']', 3000) + "}"
        ),
        ["values of other types"] =
            "{\"CoreLastWritetime\":true,\"unix:uid-gid-perm\":[1],\"CoreAttributes\":{\"a\":1}}"u8.ToArray(),
        ["a huge number"] = MadeBackup.Metadata(("CoreLastWritetime", new string('9', 5000))),
        ["a time of 2 GiB"] = MadeBackup.Metadata(("CoreLastWritetime", "9223372036854775807")),
        ["a negative time"] = MadeBackup.Metadata(
            ("CoreLastWritetime", "-1"),
            ("CoreCreatetime", "-9223372036854775808")
        ),
        ["a link target with NUL"] = MadeBackup.Metadata(("CoreSymlinkTarget", "a\0b")),
        ["an attribute that is no base64"] = MadeBackup.Metadata(("unix-ext:user.a", "!!!")),
        ["an attribute without a name"] = MadeBackup.Metadata(("unix-ext:", "YQ==")),
        ["a mode out of range"] = MadeBackup.Metadata(("unix:uid-gid-perm", "0-0-99999999")),
        ["a negative owner"] = MadeBackup.Metadata(("unix:uid-gid-perm", "-1--1-420")),
        ["attributes that are none"] = MadeBackup.Metadata(("CoreAttributes", "Everything")),
    };

    public static TheoryData<string, Flow, bool> Cases()
    {
        TheoryData<string, Flow, bool> cases = [];
        foreach (string lie in Lies.Keys)
        {
            cases.Add(lie, Flow.Network, false);
            cases.Add(lie, Flow.Legacy, false);
            cases.Add(lie, Flow.Network, true);
        }

        return cases;
    }

    public static TheoryData<string> Names() => [.. Lies.Keys];

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task Metadata_that_lies_costs_its_own_entry_the_metadata_and_nothing_else(
        string lie,
        Flow flow,
        bool isDrill
    )
    {
        using MadeBackup backup = Backup(Lies[lie]);
        RestoreReport report = await backup.RestoreAsync(
            new RestoreOptions { RestorePermissions = true, VerifyOnly = isDrill }.By(flow)
        );

        Assert.Equal(3, report.FilesRestored);
        Assert.Equal(2, report.FoldersRestored);
        Assert.Equal(
            ["/data/lies/", "/data/lies.bin"],
            report.Issues.Select(issue => issue.Path).Distinct().OrderDescending(StringComparer.Ordinal)
        );
        Assert.All(
            report.Issues,
            issue => Assert.True(issue is { Kind: IssueKind.Metadata, MetadataLost: true }, Issues.Text(report))
        );
        Assert.Equal(ExitCodes.Incomplete, ExitCodes.Of(report));
        if (!isDrill)
        {
            Assert.Equal(Content, File.ReadAllBytes(backup.At("lies.bin")));
            Assert.Equal(Content, File.ReadAllBytes(backup.At("lies/inner.bin")));
            Assert.Equal(Content, File.ReadAllBytes(backup.At("sound.bin")));
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task An_export_names_metadata_that_lies_as_a_restore_does(string lie)
    {
        using MadeBackup made = Backup(Lies[lie]);
        RestoreReport restored = await made.RestoreAsync(new RestoreOptions());
        await using Restore.Backup backup = await Restore.Backup.OpenAsync(made.Source);
        ExportReport exported = await backup.ExportArchiveAsync(backup.Versions[0], Stream.Null, ArchiveFormat.Tar);

        Assert.Equal(3, exported.Files);
        Assert.Equal(Named(restored.Issues), Named(exported.Issues));

        static IEnumerable<(string, IssueKind, bool)> Named(IReadOnlyList<RestoreIssue> issues) =>
            issues.Select(issue => (issue.Path, issue.Kind, issue.MetadataLost)).Order();
    }

    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task Metadata_of_more_than_1_MiB_is_left_out_and_the_content_comes_back(Flow flow)
    {
        byte[] large = new byte[(1 << 20) + 1];
        large.AsSpan().Fill((byte)' ');
        "{}"u8.CopyTo(large);
        using MadeBackup backup = Backup(large);
        RestoreReport report = await backup.RestoreAsync(flow);

        Assert.Equal(3, report.FilesRestored);
        Assert.Equal(
            ["/data/lies.bin", "/data/lies/"],
            report.Issues.Select(issue => issue.Path).Order(StringComparer.Ordinal)
        );
        Assert.All(
            report.Issues,
            issue => Assert.Contains("larger than the limit of 1,048,576", issue.Reason, StringComparison.Ordinal)
        );
        Assert.All(report.Issues, issue => Assert.True(issue.MetadataLost));
        Assert.Equal(Content, File.ReadAllBytes(backup.At("lies.bin")));
    }

    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task Metadata_of_which_a_block_is_lost_is_lost_and_not_read_in_part(Flow flow)
    {
        byte[] metadata = MadeBackup.Metadata(("unix-ext:user.a", new string('A', 2000)));
        using MadeBackup backup = Backup(metadata);
        backup.Forget(metadata[1024..2048]);
        backup.Write();
        RestoreReport report = await backup.RestoreAsync(flow);

        Assert.Equal(Content, File.ReadAllBytes(backup.At("lies.bin")));
        RestoreIssue[] lost = [.. report.Issues.Where(issue => issue.Kind != IssueKind.Warning)];
        Assert.Equal(["/data/lies.bin", "/data/lies/"], lost.Select(issue => issue.Path).Order(StringComparer.Ordinal));
        Assert.All(
            lost,
            issue =>
                Assert.Equal(
                    "The content is right; its metadata (times, mode, owner, attributes) is lost",
                    issue.Reason
                )
        );
    }

    [Fact]
    public async Task A_list_with_one_refused_entry_and_a_file_whose_metadata_is_unsound_brings_the_file()
    {
        using MadeBackup backup = new();
        backup.File("/data/file.bin", Content, MadeBackup.Metadata())["metasize"] = "many";
        backup.File("/data/refused.bin", Content)["size"] = -1;
        RestoreReport report = await backup.Write().RestoreAsync();
        Assert.Equal(1, report.FilesRestored);
        Assert.Equal(2, report.Issues.Count);
    }

    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task A_link_of_which_the_list_has_no_metadata_is_reported(Flow flow)
    {
        using MadeBackup backup = new();
        backup.File("/data/file.bin", Content);
        backup.Link("/data/link");
        RestoreReport report = await backup.Write().RestoreAsync(flow);
        RestoreIssue issue = Assert.Single(report.Issues);
        Assert.Equal((IssueKind.Missing, "/data/link"), (issue.Kind, issue.Path));
    }

    [Fact]
    public void No_bytes_end_the_parser_of_metadata()
    {
        Random random = new(1);
        byte[] sound = MadeBackup.Metadata(
            ("unix:uid-gid-perm", "0-0-420"),
            ("unix-ext:user.a", "YWJj"),
            ("CoreAttributes", "Normal, ReadOnly"),
            ("CoreSymlinkTarget", "\\u0041/ä")
        );
        for (int round = 0; round < 50_000; round++)
        {
            byte[] changed = [.. sound];
            for (int change = random.Next(1, 6); change > 0; change--)
            {
                changed[random.Next(changed.Length)] = (byte)random.Next(256);
            }

            Assert.NotNull(EntryMetadata.Parse(changed.AsSpan(0, random.Next(changed.Length + 1))));
        }
    }

    private static MadeBackup Backup(byte[] lie)
    {
        MadeBackup backup = new();
        backup.Folder("/data/", MadeBackup.Metadata());
        backup.Folder("/data/lies/", lie);
        backup.File("/data/lies.bin", Content, lie);
        backup.File("/data/lies/inner.bin", Content, MadeBackup.Metadata());
        backup.File("/data/sound.bin", Content, MadeBackup.Metadata());
        return backup.Write();
    }
}
