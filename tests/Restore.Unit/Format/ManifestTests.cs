using System.Text;
using System.Text.Json;
using Restore.Format;

namespace Restore.Tests.Format;

public class ManifestTests
{
    private const string Sound =
        """{"Version":2,"Created":"20260102T030405Z","Encoding":"utf8","Blocksize":1024,"BlockHash":"SHA256","FileHash":"SHA256","AppVersion":"2.3.0.0"}""";

    [Theory]
    [InlineData(Sound)]
    [InlineData("\uFEFF" + Sound)]
    [InlineData(
        """ {"FileHash":"SHA256","Unknown":{"a":[1,{}]},"BlockHash":"SHA\u0032\u00356","Blocksize":1024,"Version":2} """
    )]
    public void Order_spaces_byte_order_mark_and_unknown_properties_do_not_matter(string json) =>
        Assert.Equal(
            new Manifest(2, Volumes.Small),
            Manifest.Parse(Encoding.UTF8.GetBytes(json)) with
            {
                Created = null,
            }
        );

    [Fact]
    public void Version_1_is_read() =>
        Assert.Equal(
            1,
            Manifest
                .Parse(
                    """{"Version":1,"Encoding":"utf8","Blocksize":102400,"BlockHash":"SHA256","FileHash":"SHA256"}"""u8
                )
                .Version
        );

    [Theory]
    [InlineData("", "The manifest is not valid JSON")]
    [InlineData("\"x\"", "The manifest is not a JSON object")]
    [InlineData("{}", "NOT a Version that this program can read: 1 or 2")]
    [InlineData(
        """{LIKE"Blocksize":1023,"BlockHash":"MD5","FileHash":"MD5"}""",
        "NOT a Blocksize that can be: a whole number from 1024 to 2147483647"
    )]
    [InlineData(
        """{LIKE"Blocksize":1024,"BlockHash":"sha256","FileHash":"MD5"}""",
        "NOT a BlockHash that is known: MD5, SHA1, SHA256, SHA384 or SHA512"
    )]
    [InlineData(
        """{LIKE"Blocksize":1024,"BlockHash":"MD5","FileHash":"\ud800"}""",
        "NOT a FileHash that is known: MD5, SHA1, SHA256, SHA384 or SHA512"
    )]
    [InlineData(
        """{"Version":2,"Encoding":"utf16","Blocksize":1024,"BlockHash":"MD5","FileHash":"MD5"}""",
        "NOT the Encoding utf8, the only one there is"
    )]
    [InlineData(Sound + "x", "The manifest is not valid JSON")]
    public void A_manifest_that_cannot_be_used_says_why(string json, string message) =>
        Assert.Equal(
            message.Replace("NOT", "The manifest does not have", StringComparison.Ordinal),
            Refusal(json.Replace("LIKE", "\"Version\":2,", StringComparison.Ordinal))
        );

    private static string Refusal(string json) =>
        Assert.Throws<InvalidDataException>(() => Manifest.Parse(Encoding.UTF8.GetBytes(json))).Message;

    [Fact]
    public void Every_lying_manifest_is_refused()
    {
        foreach (JsonElement version in Fixtures.Info("hostile/manifest-lies").GetProperty("versions").EnumerateArray())
        {
            string attack = version.TryGetProperty("attack", out JsonElement text) ? text.GetString()! : "";
            byte[] manifest = Fixtures.ZipEntry(
                Path.Combine(Fixtures.Backup("hostile/manifest-lies"), version.GetProperty("dlist").GetString()!),
                "manifest"
            );

            // Alone, a manifest that contradicts the other volumes is sound; comparing them is the
            // catalog's business.
            if (attack.Length == 0 || attack.Contains("while the volumes say", StringComparison.Ordinal))
            {
                Assert.Equal(2, Manifest.Parse(manifest).Version);
            }
            else
            {
                Assert.Throws<InvalidDataException>(() => Manifest.Parse(manifest));
            }
        }
    }

    [Theory]
    [InlineData("plain-1mb", 1048576, HashKind.Sha256, HashKind.Sha256)]
    [InlineData("hashes", 10240, HashKind.Sha1, HashKind.Sha512)]
    [InlineData("hashes-md5", 10240, HashKind.Md5, HashKind.Md5)]
    [InlineData("hashes-sha384", 10240, HashKind.Sha384, HashKind.Sha1)]
    internal void Real_manifests_are_read_and_written_byte_for_byte(
        string fixture,
        int blockSizeBytes,
        HashKind blockHash,
        HashKind fileHash
    )
    {
        var layout = new BlockLayout(blockSizeBytes, blockHash, fileHash);
        foreach (string volume in Directory.GetFiles(Fixtures.Backup(fixture), "*.zip"))
        {
            byte[] real = Fixtures.ZipEntry(volume, "manifest");
            using JsonDocument document = JsonDocument.Parse(real.AsMemory(JsonText.Bom.Length));
            Assert.True(
                Timestamp.TryParse(document.RootElement.GetProperty("Created").GetString(), out DateTime created)
            );
            Assert.Equal(new Manifest(2, layout) { Created = created }, Manifest.Parse(real));
            Assert.Equal(
                real,
                Manifest.Write(layout, created, document.RootElement.GetProperty("AppVersion").GetString()!)
            );
        }
    }

    [Theory]
    [InlineData("""{"IsFullBackup":true}""", true)]
    [InlineData("\uFEFF{\"IsFullBackup\":false}", false)]
    [InlineData("""{"Other":[1],"IsFullBackup":null}""", true)]
    [InlineData("{}", true)]
    public void The_fileset_entry_says_whether_the_backup_was_finished(string json, bool isFull)
    {
        var info = FilesetInfo.Parse(Encoding.UTF8.GetBytes(json));
        Assert.Equal(isFull, info.IsFullBackup);
        Assert.Equal(info, FilesetInfo.Parse(info.Write()));
    }

    [Theory]
    [InlineData("[]")]
    [InlineData("")]
    [InlineData("{\"IsFullBackup\":")]
    public void A_broken_fileset_entry_is_refused(string json) =>
        Assert.Throws<InvalidDataException>(() => FilesetInfo.Parse(Encoding.UTF8.GetBytes(json)));
}
