using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Restore.Format;

namespace Restore.Tests.Format;

/// <summary>
/// Entries that are written without blanks are read by a faster reader; what it reads is what the
/// reader of tokens reads.
/// </summary>
public sealed class FileListCompactTests
{
    private const string Hash = "OpKexr5+YmlIcUfz0ZX9178CcvHwWtF2w9/x7xy95Ds=";
    private const string First = """{"type":"Folder","path":"/"}""";

    private static readonly string[] Sound =
    [
        $$"""{"type":"File","path":"/a","hash":"{{Hash}}","size":7,"time":"20260102T030405Z","metahash":"{{Hash}}","metasize":137}""",
        $$"""{"type":"File","path":"C:\\Users\\Ann\\a \"b\" ä😀.txt","size":2048,"hash":"{{Hash}}","blocklists":["{{Hash}}"],"blocksize":1024}""",
        $$"""{"type":"Symlink","path":"/l","metahash":"{{Hash}}","metasize":9,"metablockhash":"{{Hash}}","metablocklists":[]}""",
        $$"""{"type":"Folder","path":"/a/","metahash":"{{Hash}}","metasize":1500,"metablocklists":["{{Hash}}"]}""",
    ];

    [Fact]
    public void What_lists_are_made_of_is_read_by_the_fast_reader()
    {
        FileListFields fields = new(Volumes.Small);
        foreach (string entry in Sound)
        {
            byte[] json = Encoding.UTF8.GetBytes($",{entry}, and more");
            Assert.True(fields.TryReadCompact(json, out int length), entry);
            Assert.Equal(Encoding.UTF8.GetByteCount(entry) + 1, length);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Changed_entries_are_read_or_refused_alike_with_and_without_blanks(int seed)
    {
        Random random = new(seed);
        (int same, int refused) = (0, 0);
        for (int run = 0; run < 4_000; run++)
        {
            byte[] entry = Changed(Encoding.UTF8.GetBytes(Sound[random.Next(Sound.Length)]), random);
            string fast = Read($"[{First},", entry, $",{First}]");
            string slow = Read($"[{First} , ", entry, $" , {First}]");
            Assert.True(fast == slow, $"{Encoding.UTF8.GetString(entry)}\nfast: {fast}\nslow: {slow}");
            (same, refused) = fast == "refused" ? (same, refused + 1) : (same + 1, refused);
        }

        Assert.True(same > 100 && refused > 100, $"{same} read, {refused} refused");
    }

    [Fact]
    public void An_error_says_where_it_is_in_the_list()
    {
        string sound = $"[{First},{Sound[0]},{Sound[3]}";
        InvalidDataException failure = Assert.Throws<InvalidDataException>(() =>
            RecordingSink.Read($"{sound},{{\"path\" x", Volumes.Small)
        );
        string place = Regex.Match(failure.Message, "not valid JSON after its byte ([0-9,]+), so").Groups[1].Value;
        Assert.InRange(
            int.Parse(place, NumberStyles.AllowThousands, CultureInfo.InvariantCulture),
            sound.Length,
            sound.Length + 10
        );
    }

    private static byte[] Changed(byte[] entry, Random random)
    {
        string[] pieces =
        [
            "\"",
            "\\",
            ",",
            "{",
            "}",
            "]",
            ":",
            "0",
            "-",
            "null",
            "\\u0041",
            "\\n",
            "\t",
            "\"path\":\"/x\",",
            "\"size\":1,",
            "\"x\":1,",
            "=",
            "[]",
        ];
        List<byte> changed = [.. entry];
        for (int changes = random.Next(1, 3); changes > 0; changes--)
        {
            int at = random.Next(changed.Count);
            switch (random.Next(4))
            {
                case 0:
                    changed[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 1:
                    changed.RemoveRange(at, Math.Min(random.Next(1, 12), changed.Count - at));
                    break;
                default:
                    changed.InsertRange(at, Encoding.UTF8.GetBytes(pieces[random.Next(pieces.Length)]));
                    break;
            }
        }

        return [.. changed];
    }

    private static string Read(string before, byte[] entry, string after)
    {
        try
        {
            RecordingSink sink = RecordingSink.Read(
                [.. Encoding.UTF8.GetBytes(before), .. entry, .. Encoding.UTF8.GetBytes(after)],
                Volumes.Small
            );
            return string.Join(
                '\n',
                [
                    .. sink.Entries.Select(read => $"{read}"),
                    .. sink.Refused.Select(read => $"{read}"),
                    .. sink.WithoutMetadata.Select(read => $"{read}"),
                ]
            );
        }
        catch (InvalidDataException)
        {
            return "refused";
        }
    }
}
