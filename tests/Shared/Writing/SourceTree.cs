using System.Runtime.InteropServices;
using System.Text;
using Restore.Tests.Ends;

namespace Restore.Tests.Writing;

/// <summary>Makes trees to back up: any seed gives one, the same seed the same.</summary>
internal static partial class SourceTree
{
    private static readonly string[] Names =
    [
        "a",
        "b.txt",
        "with space",
        " leading",
        "trailing ",
        "-dash",
        ".hidden",
        "..foo",
        "...",
        "quote\"s'",
        "back\\slash",
        "tab\tnew\nline",
        "\u0001control",
        "\u0085\u2028\u2029",
        "ünïcödé",
        "日本語",
        "😀",
        "e\u0301",
        "CON",
        "x:y",
        "*?[a]",
        "%41",
        "manifest",
        new string('n', 200),
    ];

    /// <summary>
    /// Fills a folder with files of every kind of length, folders, links, times, modes and
    /// attributes.
    /// </summary>
    public static void Make(string folder, int seed, int blockSizeBytes)
    {
        Random random = new(seed);
        Directory.CreateDirectory(folder);
        List<string> folders = [folder];
        byte[] shared = Bytes(random, blockSizeBytes * 3);

        // A backup without a single file has a warning.
        MakeFile(Path.Combine(folder, "always"), Content(random, blockSizeBytes, shared), random);
        int count = random.Next(1, 25);
        for (int i = 0; i < count; i++)
        {
            string path = Path.Combine(
                folders[random.Next(folders.Count)],
                Names[random.Next(Names.Length)] + (random.Next(3) == 0 ? "" : $"{i}")
            );
            if (Path.Exists(path) || new FileInfo(path).LinkTarget is not null)
            {
                continue;
            }

            switch (random.Next(8))
            {
                case 0:
                    folders.Add(Directory.CreateDirectory(path).FullName);
                    break;
                case 1:
                    File.CreateSymbolicLink(path, Target(random, folders));
                    break;
                default:
                    MakeFile(path, Content(random, blockSizeBytes, shared), random);
                    break;
            }
        }

        // Of folders last: what is made in them would change their times.
        folders.ForEach(one => Directory.SetLastWriteTimeUtc(one, Time(random)));
    }

    /// <summary>Bytes that repeat nothing.</summary>
    public static byte[] Bytes(Random random, int count)
    {
        byte[] bytes = new byte[count];
        random.NextBytes(bytes);
        return bytes;
    }

    /// <summary>Sets a user.* attribute.</summary>
    public static void SetAttribute(string path, string name, byte[] value) =>
        Assert.Equal(0, SetAttributeCall(path, name, value, value.Length, 0));

    private static void MakeFile(string path, byte[] content, Random random)
    {
        File.WriteAllBytes(path, content);
        if (random.Next(4) == 0)
        {
            SetAttribute(
                path,
                $"user.note{random.Next(3)}",
                Encoding.UTF8.GetBytes(new string('v', random.Next(1, 900)))
            );
        }

        Native.SetMode(path, random.Next(0x200) | 0x180);
        File.SetLastWriteTimeUtc(path, Time(random));
    }

    private static DateTime Time(Random random) =>
        new DateTime(1972, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddTicks(random.NextInt64(TimeSpan.TicksPerDay * 365 * 60));

    private static string Target(Random random, List<string> folders) =>
        random.Next(3) switch
        {
            0 => "nowhere/to be found",
            1 => Path.GetFileName(folders[^1]),
            _ => ".",
        };

    /// <summary>
    /// Lengths around the multiples of the block size, up to three blocklists at 1 KiB; new bytes,
    /// text, zeros, and blocks that other files have.
    /// </summary>
    private static byte[] Content(Random random, int blockSizeBytes, byte[] shared)
    {
        int[] edges =
        [
            0,
            1,
            blockSizeBytes - 1,
            blockSizeBytes,
            blockSizeBytes + 1,
            2 * blockSizeBytes,
            32 * blockSizeBytes,
            (70 * blockSizeBytes) + 5,
        ];
        int edge = edges[random.Next(blockSizeBytes > 4096 ? 6 : edges.Length)];
        int length = random.Next(2) == 0 ? edge : random.Next(5 * blockSizeBytes);
        byte[] content = new byte[length];
        for (int offset = 0; offset < length; offset += blockSizeBytes)
        {
            Span<byte> block = content.AsSpan(offset, Math.Min(blockSizeBytes, length - offset));
            switch (random.Next(4))
            {
                case 0:
                    random.NextBytes(block);
                    break;
                case 1:
                    shared.AsSpan(random.Next(3) * blockSizeBytes, block.Length).CopyTo(block);
                    break;
                case 2:
                    Encoding
                        .ASCII.GetBytes("the same words again and again; ")
                        .AsSpan()
                        .CopyTo(block.Length >= 32 ? block : new byte[32]);
                    break;
            }
        }

        return content;
    }

    [LibraryImport("libc", EntryPoint = "lsetxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int SetAttributeCall(string path, string name, byte[] value, nint length, int flags);
}
