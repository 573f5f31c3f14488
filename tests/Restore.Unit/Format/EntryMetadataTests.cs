using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Restore.Format;

namespace Restore.Tests.Format;

public class EntryMetadataTests
{
    [Theory]
    [InlineData("plain-1mb", 100)]
    [InlineData("blocklists-1kb", 5)]
    [InlineData("hand-made", 3)]
    [InlineData("windows-paths", 5)]
    public void Real_metadata_is_read_and_written_byte_for_byte(string fixture, int least)
    {
        byte[][] blobs =
        [
            .. Volumes
                .Of(fixture, "dblock")
                .SelectMany(Volumes.Entries)
                .Where(e => IsMetadata(e.Name, e.Content))
                .Select(e => e.Content),
        ];
        Assert.True(blobs.Length >= least);
        foreach (byte[] blob in blobs)
        {
            var metadata = EntryMetadata.Parse(blob);
            Assert.Empty(metadata.Unusable);
            Assert.NotNull(metadata.LastWriteTicks);
            Assert.Equal(Encoding.UTF8.GetString(blob), Encoding.UTF8.GetString(metadata.Write()));
        }
    }

    [Fact]
    public void Every_key_has_its_value()
    {
        var metadata = EntryMetadata.Parse(
            Utf8(
                """
                {"unix-ext:user.a":"AQI=","unix:uid-gid-perm":"1000-4294967294-420","unix:owner-name":"ann","unix:group-name":"users",
                 "macos:flags":"32768","macos:acl":"!#acl 1","win-ext:accessrules":"[{\"Rights\":1}]","win-ext:accessrulesprotected":"True",
                 "gsuite:x":"y","CoreAttributes":"readonly, archive","CoreLastWritetime":"638355968611234567",
                 "CoreCreatetime":"0","CoreSymlinkTarget":"../\u00e4\/b","CoreOther":"x","nothing":null}
                """
            )
        );
        Assert.Empty(metadata.Unusable);
        Assert.Equal(638355968611234567, metadata.LastWriteTicks);
        Assert.Equal(0, metadata.CreationTicks);
        Assert.Equal(FileAttributes.ReadOnly | FileAttributes.Archive, metadata.Attributes);
        Assert.Equal("../ä/b", metadata.SymlinkTarget);
        Assert.Equal((1000u, 4294967294u, 420), (metadata.UserId, metadata.GroupId, metadata.Mode));
        Assert.Equal(("ann", "users"), (metadata.OwnerName, metadata.GroupName));
        Assert.Equal((32768u, "!#acl 1"), (metadata.MacFlags, metadata.MacAcl));
        Assert.Equal(("[{\"Rights\":1}]", true), (metadata.WindowsAccessRules, metadata.WindowsAccessRulesProtected));
        (string name, byte[] value) = Assert.Single(metadata.ExtendedAttributes);
        Assert.Equal("user.a", name);
        Assert.Equal([1, 2], value);
    }

    [Theory]
    [InlineData("\uFEFF{}")]
    [InlineData(" { } ")]
    public void An_empty_object_has_no_metadata(string blob) =>
        Assert.Same(EntryMetadata.Empty, EntryMetadata.Parse(Utf8(blob)));

    [Theory]
    [InlineData("", "The metadata is not valid JSON")]
    [InlineData("\uFEFF", "The metadata is not valid JSON")]
    [InlineData("{broken", "The metadata is not valid JSON")]
    [InlineData("{\"CoreLastWritetime\":\"1\"", "The metadata is not valid JSON")]
    [InlineData("{\"CoreLastWritetime\":\"1\"}{}", "The metadata is not valid JSON")]
    [InlineData("[1,2,3]", "The metadata is not a JSON object")]
    [InlineData("null", "The metadata is not a JSON object")]
    public void A_blob_that_is_not_an_object_has_a_reason_and_no_values(string blob, string sentence)
    {
        var metadata = EntryMetadata.Parse(Utf8(blob));
        Assert.Equal([sentence], metadata.Unusable);
        Assert.Null(metadata.LastWriteTicks);
    }

    [Theory]
    [InlineData("CoreLastWritetime", "\"-5\"", "is \"-5\", which is not a time between the years 1 and 9999")]
    [InlineData(
        "CoreLastWritetime",
        "\"3155378976000000000\"",
        "is \"3155378976000000000\", which is not a time between the years 1 and 9999"
    )]
    [InlineData("CoreLastWritetime", "\"1 \"", "is \"1 \", which is not a time between the years 1 and 9999")]
    [InlineData("CoreCreatetime", "\"\"", "is \"\", which is not a time between the years 1 and 9999")]
    [InlineData("CoreCreatetime", "7", "is not text")]
    [InlineData(
        "CoreAttributes",
        "\"Normal, Nonsense\"",
        "is \"Normal, Nonsense\", which is not a set of file attributes"
    )]
    [InlineData("CoreAttributes", "\"-1\"", "is \"-1\", which is not a set of file attributes")]
    [InlineData("CoreAttributes", "[\"Normal\"]", "is not text")]
    [InlineData("CoreSymlinkTarget", "\"\"", "is \"\", which is not a link target")]
    [InlineData("CoreSymlinkTarget", "\"a\\u0000b\"", "is \"a?b\", which is not a link target")]
    [InlineData("CoreSymlinkTarget", "\"a\\ud800\"", "is not Unicode text")]
    [InlineData("unix:uid-gid-perm", "\"0-0\"", "is \"0-0\", which is not user, group and permissions")]
    [InlineData("unix:uid-gid-perm", "\"0\"", "is \"0\", which is not user, group and permissions")]
    [InlineData(
        "unix:uid-gid-perm",
        "\"root-4294967295-rwx\"",
        "is \"root-4294967295-rwx\", whose user and group and permissions cannot be used"
    )]
    [InlineData("unix-ext:", "\"MQ==\"", "has a name that no system takes")]
    [InlineData("unix-ext:user.\\u0000", "\"MQ==\"", "has a name that no system takes")]
    [InlineData("unix-ext:user.a", "\"!!!\"", "is not base64")]
    [InlineData("macos:flags", "\"4294967296\"", "is \"4294967296\", which is not a number of 32 bits")]
    public void A_value_that_cannot_be_used_is_left_out_with_a_sentence(string key, string value, string reason)
    {
        string sentence = $"The metadata value of {key.Replace("\\u0000", "?", StringComparison.Ordinal)} {reason}";
        var metadata = EntryMetadata.Parse(Utf8($$"""{"{{key}}":{{value}},"unix:owner-name":"ann"}"""));
        Assert.Equal([sentence], metadata.Unusable);
        Assert.Equal(EntryMetadata.Empty with { OwnerName = "ann", Unusable = metadata.Unusable }, metadata);
    }

    [Theory]
    [InlineData("1-2--1", 1u, 2u, null)]
    [InlineData("4294967296-99999999999999999999-420", null, null, 420)]
    [InlineData("0-0-4294967295", 0u, 0u, null)]
    [InlineData("0-0-2541", 0u, 0u, 493)]
    public void Of_user_group_and_permissions_each_is_used_that_can_be(string value, uint? user, uint? group, int? mode)
    {
        var metadata = EntryMetadata.Parse(Utf8($$"""{"unix:uid-gid-perm":"{{value}}"}"""));
        Assert.Equal((user, group, mode), (metadata.UserId, metadata.GroupId, metadata.Mode));
        Assert.Contains(value, Assert.Single(metadata.Unusable), StringComparison.Ordinal);
    }

    [Fact]
    public void Hostile_metadata_never_throws_and_mostly_says_what_is_wrong()
    {
        EntryMetadata[] all =
        [
            .. Volumes
                .Of("hostile/metadata-hostile", "dblock")
                .SelectMany(Volumes.Entries)
                .Where(e => e.Name != "manifest" && e.Content.Length < 900)
                .Select(e => EntryMetadata.Parse(e.Content)),
        ];
        Assert.True(all.Count(m => m.Unusable.Count > 0) >= 14);
        Assert.All(all.SelectMany(m => m.Unusable), s => Assert.Matches("^The metadata .+[^.]$", s));
        Assert.All(all, m => Assert.InRange(m.Mode ?? 0, 0, 511));
    }

    [Fact]
    public void Metadata_with_flipped_bytes_never_throws()
    {
        byte[] sound = EntryMetadata
            .Parse(
                Utf8(
                    """
                    {"unix-ext:user.a":"AQI=","unix:uid-gid-perm":"1000-100-420","CoreAttributes":"Archive",
                     "CoreLastWritetime":"638355968611234567","CoreSymlinkTarget":"a\\b"}
                    """
                )
            )
            .Write();
        var random = new Random(11);
        int odd = 0;
        for (int run = 0; run < 5000; run++)
        {
            byte[] blob = [.. sound];
            blob[random.Next(blob.Length)] ^= (byte)(1 << random.Next(8));
            odd += EntryMetadata.Parse(blob).Unusable.Count > 0 ? 1 : 0;
        }

        Assert.InRange(odd, 100, 4999);
    }

    [Fact]
    public void Extended_attributes_are_limited_in_number_and_size()
    {
        string many = string.Join(',', Enumerable.Range(0, 3000).Select(i => $"\"unix-ext:user.{i}\":\"AA==\""));
        var metadata = EntryMetadata.Parse(Utf8("{" + many + "}"));
        Assert.Equal(MetadataValues.MaxExtendedAttributes, metadata.ExtendedAttributes.Count);
        Assert.Equal(10, metadata.Unusable.Count);

        string large = Convert.ToBase64String(new byte[6 << 20]);
        metadata = EntryMetadata.Parse(
            Utf8($$"""{"unix-ext:a":"{{large}}","unix-ext:b":"{{large}}","unix-ext:c":"{{large}}"}""")
        );
        Assert.Equal(2, metadata.ExtendedAttributes.Count);
        Assert.Equal(
            "The metadata value of unix-ext:c is left out: the entry has more extended attributes than this program accepts",
            Assert.Single(metadata.Unusable)
        );
    }

    [Fact]
    public void A_long_or_odd_value_is_shown_short_and_without_control_characters()
    {
        string sentence = Assert.Single(
            EntryMetadata.Parse(Utf8("{\"CoreAttributes\":\"\\u001b[2J" + new string('x', 10_000) + "\"}")).Unusable
        );
        Assert.StartsWith("The metadata value of CoreAttributes is \"?[2Jxxx", sentence, StringComparison.Ordinal);
        Assert.InRange(sentence.Length, 1, 200);
    }

    [Fact]
    public void What_is_written_is_read_back()
    {
        Gen<string?> texts =
            from text in ArbMap.Default.GeneratorFor<string?>()
            select text is null ? null : Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(text));
        var cases =
            from owner in texts
            from @group in texts
            from rules in texts
            from target in texts
            from ticks in Gen.Choose(0, int.MaxValue)
            from id in Gen.Choose(0, int.MaxValue)
            from mode in Gen.Choose(0, 511)
            from attributes in Gen.Choose(0, 0x7FFF)
            from value in ArbMap.Default.GeneratorFor<byte[]>()
            select new EntryMetadata
            {
                OwnerName = owner,
                GroupName = @group,
                WindowsAccessRules = rules,
                WindowsAccessRulesProtected = mode % 2 == 0,
                SymlinkTarget = target is { Length: > 0 } && !target.Contains('\0') ? target : null,
                LastWriteTicks = ticks * 1_000_000_000L,
                CreationTicks = ticks,
                UserId = (uint)id,
                GroupId = (uint)ticks,
                Mode = mode,
                MacFlags = (uint)id,
                MacAcl = owner,
                Attributes = (FileAttributes)attributes,
                ExtendedAttributes = [new("user.ä \"" + id, value)],
            };
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                cases.ToArbitrary(),
                written =>
                {
                    var read = EntryMetadata.Parse(written.Write());
                    Assert.Equal(written.ExtendedAttributes, read.ExtendedAttributes.Select(p => p));
                    Assert.Equal(
                        written with
                        {
                            ExtendedAttributes = read.ExtendedAttributes,
                            Unusable = read.Unusable,
                        },
                        read
                    );
                    Assert.Empty(read.Unusable);
                    Assert.Equal(written.Write(), read.Write());
                }
            )
        );
    }

    [Fact]
    public void Empty_metadata_is_written_as_Duplicati_writes_skipped_metadata() =>
        Assert.Equal("\uFEFF{}"u8, EntryMetadata.Empty.Write());

    private static byte[] Utf8(string json) => Encoding.UTF8.GetBytes(json);

    // The first block of a larger blob starts like metadata, too.
    private static bool IsMetadata(string name, byte[] content) =>
        name != "manifest" && content.AsSpan().StartsWith("\uFEFF{\""u8) && content.AsSpan().EndsWith("\"}"u8);
}
