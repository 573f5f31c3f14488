using System.IO.Compression;
using System.Text;
using Restore.Cli.Commands;
using Restore.Cli.Rendering;
using Restore.Storage.Local;
using Restore.Web;

namespace Restore.Tests.Web.Browser;

/// <summary>
/// A person's files in five versions, served twice: whole and slowly, and with a lost and a cut
/// volume; and a browser. With the variable RESTORE_SCREENSHOTS, the files are in /home/ann, as the
/// pictures are to show them.
/// </summary>
public sealed class PageBackup : IAsyncLifetime
{
    public const int Versions = 5;

    private static readonly string? Pictures = Environment.GetEnvironmentVariable("RESTORE_SCREENSHOTS");

    private readonly TempFolder folder = new();
    private readonly Random random = new(7);
    private readonly List<IAsyncDisposable> served = [];
    private Chromium? browser;
    private BrowseServer? whole;
    private BrowseServer? damaged;
    private BrowseServer? looking;

    /// <summary>Where screenshots are written to; null for nowhere.</summary>
    public static string? ScreenshotFolder =>
        string.IsNullOrEmpty(Pictures) ? null : Path.Join(Fixtures.RepositoryRoot(), "docs");

    /// <summary>The folder that was backed up.</summary>
    public string Source => ScreenshotFolder is null ? folder.In("home/ann") : "/home/ann";

    public string Location => folder.In("backup");

    /// <summary>The folder that the page may write to.</summary>
    public string Target => ScreenshotFolder is null ? folder.In("restored") : "/tmp/restored";

    public Uri Address => whole!.Address;

    public Uri DamagedAddress => damaged!.Address;

    /// <summary>Of a page that may write nothing.</summary>
    public Uri LookingAddress => looking!.Address;

    internal Chromium Browser => browser!;

    internal DownloadFolder Downloads => new(folder.In("downloads"));

    public async ValueTask InitializeAsync()
    {
        Assert.False(
            ScreenshotFolder is not null && Directory.Exists("/home/ann"),
            "/home/ann exists: screenshots need this name for a folder of their own"
        );
        string[] volumesBefore = [];
        for (int version = 1; version <= Versions; version++)
        {
            volumesBefore = Directory.Exists(Location) ? Directory.GetFiles(Location) : [];
            Write(version);
            await new BackupWriter(
                new BackupWriterOptions
                {
                    Sources = [Source],
                    Destination = Location,
                    BlockSizeBytes = 50 << 10,
                    VolumeSizeBytes = 256 << 10,
                    CompressionLevel = 1,
                    Time = new DateTimeOffset(2026, 3, 4 * version, 21, 30, 0, TimeSpan.Zero),
                }
            ).WriteAsync();
        }

        string copy = Directory.CreateDirectory(folder.In("damaged")).FullName;
        foreach (string file in Directory.GetFiles(Location))
        {
            File.Copy(file, Path.Join(copy, Path.GetFileName(file)));
        }

        HashSet<string?> known = [.. volumesBefore.Select(Path.GetFileName)];
        string[] oldest =
        [
            .. Directory.GetFiles(copy, "*.dblock.zip").Where(file => known.Contains(Path.GetFileName(file))),
        ];
        File.Delete(Directory.GetFiles(copy, "*.dblock.zip").Except(oldest).Single());
        string cut = oldest.Order(StringComparer.Ordinal).Skip(9).First();
        await using (FileStream stream = new(cut, FileMode.Open))
        {
            stream.SetLength(stream.Length - 1000);
        }

        whole = await ServeAsync(Location, bytesPerSecond: 1.5e6);
        damaged = await ServeAsync(copy, bytesPerSecond: 1e9);
        looking = await ServeAsync(Location, bytesPerSecond: 1e9, canRestore: false);
        browser = await Chromium.StartAsync();
        await Downloads.UseAsync(browser);
    }

    public async ValueTask DisposeAsync()
    {
        if (browser is not null)
        {
            await browser.DisposeAsync();
        }

        foreach (IAsyncDisposable one in served.AsEnumerable().Reverse())
        {
            await one.DisposeAsync();
        }

        folder.Dispose();
        if (ScreenshotFolder is not null && Directory.Exists("/home/ann"))
        {
            Directory.Delete("/home/ann", recursive: true);
            Directory.Delete(Target, recursive: true);
        }
    }

    /// <summary>A picture of 64 by 48 points.</summary>
    public static byte[] Picture(int shade)
    {
        const int Width = 64;
        const int Height = 48;
        byte[] points = new byte[Height * (1 + (3 * Width))];
        for (int i = 0; i < Width * Height; i++)
        {
            int at = (i / Width * (1 + (3 * Width))) + 1 + (3 * (i % Width));
            (points[at], points[at + 1], points[at + 2]) = (
                (byte)(shade + (i % Width)),
                (byte)(90 + (2 * (i / Width))),
                (byte)(220 - (i % Width))
            );
        }

        using MemoryStream packed = new();
        using (ZLibStream zlib = new(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            zlib.Write(points);
        }

        using MemoryStream png = new();
        png.Write([0x89, .. "PNG\r\n"u8, 0x1A, 0x0A]);
        Part(png, "IHDR"u8, [0, 0, 0, Width, 0, 0, 0, Height, 8, 2, 0, 0, 0]);
        Part(png, "IDAT"u8, packed.ToArray());
        Part(png, "IEND"u8, []);
        return png.ToArray();
    }

    private static void Part(MemoryStream png, ReadOnlySpan<byte> type, ReadOnlySpan<byte> content)
    {
        byte[] checkedBytes = [.. type, .. content];
        uint crc = uint.MaxValue;
        foreach (byte one in checkedBytes)
        {
            crc ^= one;
            for (int bit = 0; bit < 8; bit++)
            {
                crc = (crc >> 1) ^ (0xEDB88320 & (0 - (crc & 1)));
            }
        }

        Span<byte> number = stackalloc byte[4];
        System.Buffers.Binary.BinaryPrimitives.WriteInt32BigEndian(number, content.Length);
        png.Write(number);
        png.Write(checkedBytes);
        System.Buffers.Binary.BinaryPrimitives.WriteUInt32BigEndian(number, ~crc);
        png.Write(number);
    }

    private void Write(int version)
    {
        if (version == 1)
        {
            for (int i = 1; i <= 24; i++)
            {
                WriteRandom($"Photos/Summer by the lake/IMG_{2040 + i}.jpg", 120_000 + (i * 4_321));
                WriteRandom($"Music/Quartet/{i:00} Movement.flac", 90_000 + (i * 999));
            }

            WriteFile("Photos/lake.png", Picture(20));
            WriteRandom("Documents/Taxes 2025.ods", 84_000);
            WriteRandom("Documents/Contract.pdf", 212_000);
            WriteFile(
                "Documents/Garden.txt",
                Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat("Bed: beans, carrots, onions\n", 34)))
            );
            Directory.CreateDirectory(Path.Join(Source, "Projects/venv/bin"));
            File.CreateSymbolicLink(Path.Join(Source, "Projects/venv/bin/python"), "/usr/bin/python3");
            for (int i = 0; i < 300; i++)
            {
                WriteFile($"Projects/Recipes/recipe {i:000}.md", Encoding.UTF8.GetBytes($"# Recipe {i}\n"));
            }

            foreach (string name in ServedBackup.HostileNames)
            {
                WriteFile($"hostile/{name}", Encoding.UTF8.GetBytes($"content of {name}"));
            }
        }

        WriteFile(
            "Documents/Letter to the bank.txt",
            Encoding.UTF8.GetBytes($"Draft {version}\n\nDear Sir or Madam,\n\nplease close my account.\n")
        );
        WriteRandom("Documents/Accounts.ods", 30_000 + (version * 2_000));
        if (version is 2 or 4)
        {
            WriteRandom($"Photos/Autumn/IMG_{3000 + version}.jpg", 410_000 * (version - 1));
            WriteFile("Documents/Shopping.txt", "milk, bread"u8);
        }
        else
        {
            File.Delete(Path.Join(Source, "Documents/Shopping.txt"));
        }
    }

    private void WriteRandom(string path, int length)
    {
        byte[] content = new byte[length];
        random.NextBytes(content);
        WriteFile(path, content);
    }

    private void WriteFile(string path, ReadOnlySpan<byte> content)
    {
        string full = Path.Join(Source, path);
        Directory.CreateDirectory(Path.GetDirectoryName(full)!);
        File.WriteAllBytes(full, content);

        // The writer takes a file of the same length and time as unchanged.
        int sum = content.ToArray().Sum(one => one);
        File.SetLastWriteTimeUtc(full, new DateTime(2025, 6, 1, 8, 0, 0, DateTimeKind.Utc).AddMinutes(sum % 250_000));
    }

    private async Task<BrowseServer> ServeAsync(string location, double bytesPerSecond, bool canRestore = true)
    {
        Backup backup = await Backup.OpenAsync(new SlowStore(new LocalFolderStore(location), bytesPerSecond));
        served.Add(backup);
        BrowseServer server = await BrowseServer.StartAsync(
            backup,
            new BrowseOptions
            {
                RestoreFolder = canRestore ? Target : null,
                FreeBytesAt = TargetPlace.FreeBytesAt,
                PricePerGigabyte = 0.09m,
                ReportPage = (text, reports) => ReportHtml.Write(text, reports, TimeProvider.System),
            }
        );
        served.Add(server);
        return server;
    }
}
