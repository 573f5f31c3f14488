using System.Text;
using Restore.Catalog;
using Restore.Format;

namespace Restore.Tests.Catalog;

public sealed class VersionContentBuilderTests
{
    private const string Hash = "OpKexr5+YmlIcUfz0ZX9178CcvHwWtF2w9/x7xy95Ds=";

    [Theory]
    [InlineData("1073741824", "The metadata is lost: It has 0 blocklists, where 1073741824 bytes need 32768")]
    [InlineData("-1", "The metadata is lost: The size of its metadata is missing or not a whole number of bytes")]
    public void A_file_whose_metadata_is_unsound_keeps_its_content(string metaSize, string reason)
    {
        VersionContent version = Read(
            $$"""[{"type":"File","path":"/a","hash":"{{Hash}}","size":3,"metahash":"{{Hash}}","metasize":{{metaSize}}}]"""
        );
        EntryRow entry = version.Entries[0];
        Assert.Equal((3, 1), (version.SizeOf(new EntryId(0)), version.BlockCountOf(entry.Content)));
        Assert.True(entry.Metadata.IsNone);
        RestoreIssue issue = Assert.Single(version.Issues);
        Assert.Equal(
            (IssueKind.Metadata, "/a", reason, true),
            (issue.Kind, issue.Path, issue.Reason, issue.MetadataLost)
        );
    }

    [Fact]
    public void Metadata_larger_than_the_limit_is_reported_as_lost()
    {
        string lists = string.Join(',', Enumerable.Repeat($"\"{Hash}\"", 33));
        VersionContent version = Read(
            $$"""[{"type":"Folder","path":"/a/","metahash":"{{Hash}}","metasize":1048577,"metablocklists":[{{lists}}]}]"""
        );
        Assert.True(version.Entries[0].Metadata.IsNone);
        Assert.Equal(
            "The metadata is lost: It is 1,048,577 bytes long by the file list, which is larger than the limit of 1,048,576",
            Assert.Single(version.Issues).Reason
        );
    }

    [Fact]
    public void What_a_filter_leaves_out_is_not_reported()
    {
        VersionContent version = Read(
            """[{"type":"Folder","path":"/a/","metahash":"x"},{"type":"Folder","path":"/b/"}]""",
            EntryFilter.Parse([], [new FilterRule(Include: false, "/a/")])
        );
        Assert.Equal(1, version.Entries.Count);
        Assert.Empty(version.Issues);
    }

    private static VersionContent Read(string json, EntryFilter? filter = null)
    {
        BlockLayout layout = new(1024, HashKind.Sha256, HashKind.Sha256);
        VersionContent version = new(new BackupVersion(0, DateTimeOffset.UnixEpoch, "list"), layout);
        VersionContentBuilder builder = new(version, filter ?? EntryFilter.All, observer: null);
        FileListReader.Read(new MemoryStream(Encoding.UTF8.GetBytes(json)), builder, layout, CancellationToken.None);
        return version;
    }
}
