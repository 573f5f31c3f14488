using Restore.Storage;
using Restore.Tests.Writing;

namespace Restore.Tests.Reading;

/// <summary>
/// A volume of a local store comes in chunks of whole entries, and what is lost is what is lost
/// when it is read whole.
/// </summary>
public sealed class ChunkedVolumeTests : IDisposable
{
    private const int FileBytes = 700_000;
    private const int Files = 12;

    private readonly RoundTrip trip = new();

    public enum Damage
    {
        None,
        FirstBlocks,
        LastBlocks,
        LocalHeader,
        Directory,
        Code,
        CutALittle,
        CutInHalf,
        SomethingAdded,
    }

    public static TheoryData<Damage, string?, int> Cases
    {
        get
        {
            TheoryData<Damage, string?, int> cases = [];
            foreach (Damage damage in Enum.GetValues<Damage>())
            {
                foreach (string? passphrase in new[] { null, "p" })
                {
                    cases.Add(damage, passphrase, 10 << 10);
                    cases.Add(damage, passphrase, 100 << 10);
                }
            }

            return cases;
        }
    }

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task The_losses_are_those_of_the_volume_read_whole(Damage damage, string? passphrase, int blockBytes)
    {
        string volume = await WriteAsync(passphrase, blockBytes);
        await DamageAsync(volume, damage);

        RestoreReport chunked = await DrillAsync(passphrase, new ExecuteOptions());
        RestoreReport whole = await DrillAsync(passphrase, new ExecuteOptions { Legacy = true });

        Assert.Equal(Losses(whole), Losses(chunked));
        Assert.Equal(Texts(whole), Texts(chunked));
        if (damage == Damage.None || passphrase is not null)
        {
            Assert.Equal(damage == Damage.None, chunked.Issues.Count == 0);
        }
    }

    [Theory]
    [InlineData(null)]
    [InlineData("p")]
    public async Task A_chunk_that_cannot_be_read_loses_its_own_blocks_only(string? passphrase)
    {
        string volume = await WriteAsync(passphrase, 100 << 10);
        ScriptedStore files = ScriptedStore.OfFolder(trip.Destination, isLocal: true);
        BadSector store = new(files, Path.GetFileName(volume));
        await using Backup backup = await Backup.OpenAsync(store, new BackupOptions { Passphrase = passphrase }, Token);

        RestoreReport report = await backup.RestoreAsync(
            backup.Versions[0],
            new RestoreOptions { VerifyOnly = true }.With(new ExecuteOptions())
        );

        Assert.InRange(Losses(report).Count, 1, Files / 2);
        Assert.Contains(
            report.Issues,
            issue => issue.Reason.Contains("The disk has a bad sector", StringComparison.Ordinal)
        );
        Assert.InRange(files.Reads.Max(read => read.Length), 1, 2 << 20);
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
    }

    public void Dispose() => trip.Dispose();

    private static List<string> Losses(RestoreReport report) =>
        [
            .. report
                .Issues.Where(issue => issue.Kind != IssueKind.Warning)
                .Select(issue => issue.Path)
                .Distinct()
                .Order(StringComparer.Ordinal),
        ];

    private static List<string> Texts(RestoreReport report) =>
        [.. report.Issues.Select(issue => $"{issue}").Order(StringComparer.Ordinal)];

    /// <summary>Makes a backup of one volume; returns its path.</summary>
    private async Task<string> WriteAsync(string? passphrase, int blockBytes)
    {
        Random random = new(1);
        for (int file = 0; file < Files; file++)
        {
            byte[] bytes = new byte[FileBytes];
            random.NextBytes(bytes);

            // One block is stored and another is compressed. No two files share one: which chunk it
            // is in differs from run to run.
            bytes.AsSpan(0, FileBytes / 3).Fill((byte)('a' + file));
            await File.WriteAllBytesAsync(Path.Combine(trip.Source, $"{file:D2}"), bytes, Token);
        }

        await trip.WriteAsync(
            trip.Options with
            {
                BlockSizeBytes = blockBytes,
                VolumeSizeBytes = 50 << 20,
                Passphrase = passphrase,
            }
        );
        return Assert.Single(trip.VolumesOf("dblock"));
    }

    private static async Task DamageAsync(string volume, Damage damage)
    {
        byte[] bytes = await File.ReadAllBytesAsync(volume, Token);
        switch (damage)
        {
            case Damage.FirstBlocks:
                bytes[200_000] ^= 1;
                break;
            case Damage.LastBlocks:
                bytes[^200_000] ^= 1;
                break;
            case Damage.LocalHeader:
                int header = bytes.AsSpan().IndexOf("PK\u0003\u0004"u8);
                bytes[Math.Max(400, header)] ^= 1;
                break;
            case Damage.Directory:
                bytes[^1000] ^= 1;
                break;
            case Damage.Code:
                bytes[^1] ^= 1;
                break;
            case Damage.CutALittle:
                Array.Resize(ref bytes, bytes.Length - 100);
                break;
            case Damage.CutInHalf:
                Array.Resize(ref bytes, bytes.Length / 2);
                break;
            case Damage.SomethingAdded:
                Array.Resize(ref bytes, bytes.Length + 7);
                break;
        }

        await File.WriteAllBytesAsync(volume, bytes, Token);
    }

    private async Task<RestoreReport> DrillAsync(string? passphrase, ExecuteOptions execution)
    {
        await using Backup backup = await Backup.OpenAsync(
            trip.Destination,
            new BackupOptions { Passphrase = passphrase },
            Token
        );
        RestoreReport report = await backup.RestoreAsync(
            backup.Versions[0],
            new RestoreOptions { VerifyOnly = true }.With(execution)
        );
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
        return report;
    }

    private sealed class BadSector(IVolumeStore inner, string volume) : ForwardingStore(inner)
    {
        private const long Offset = 2_500_000;

        public override ValueTask<int> ReadAsync(
            string name,
            long offset,
            Memory<byte> destination,
            CancellationToken cancellationToken = default
        ) =>
            name == volume && offset <= Offset && offset + destination.Length > Offset
                ? throw new IOException("The disk has a bad sector")
                : base.ReadAsync(name, offset, destination, cancellationToken);
    }
}
