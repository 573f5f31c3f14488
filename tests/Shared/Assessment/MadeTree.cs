using System.Buffers.Binary;
using System.Text;
using Restore.Assessment;

namespace Restore.Tests.Assessment;

/// <summary>The files of one version of a made history, and the chance that changes them.</summary>
internal sealed class MadeTree(int seed)
{
    private static readonly DateTime Begin = new(2024, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    private ulong contents;

    public int Seed => seed;

    public Random Chance { get; } = new(seed);

    public SortedDictionary<string, MadeFile> Files { get; } = new(StringComparer.Ordinal);

    /// <summary>The number of the version; a version is a day.</summary>
    public int Day { get; set; }

    public long Now =>
        Begin.AddDays(Day).AddSeconds(Chance.Next(80_000)).Ticks / TimeSpan.TicksPerSecond * TimeSpan.TicksPerSecond;

    public ulong NewContent() => ++contents;

    public void Add(string path, long size) => Files[path] = new MadeFile(NewContent(), Math.Max(1, size), Now);

    public void Change(string path, long size) => Add(path, size);

    public void Rename(string from, string to)
    {
        if (Files.Remove(from, out var file))
        {
            Files[to] = file;
        }
    }

    /// <summary>A size as files have it: most are small, few are large.</summary>
    public long Size(double median, double spread = 1.2)
    {
        double normal = Math.Sqrt(-2 * Math.Log(1 - Chance.NextDouble())) * Math.Cos(2 * Math.PI * Chance.NextDouble());
        return (long)Math.Clamp(median * Math.Exp(spread * normal), 16, 4e9);
    }

    /// <summary>The size of an edited file.</summary>
    public long Edited(long size) =>
        Math.Max(1, (long)(size * (0.92 + (0.2 * Chance.NextDouble()))) + Chance.Next(-200, 400));

    public string[] Pick(double share, Func<string, bool>? which = null) =>
        [.. Files.Keys.Where(path => which?.Invoke(path) != false && Chance.NextDouble() < share)];

    /// <summary>Some files, mostly the same ones each day.</summary>
    public string[] PickHot(int count, Func<string, bool>? which = null)
    {
        string[] all = [.. Files.Keys.Where(path => which?.Invoke(path) != false)];
        return all.Length == 0
            ? []
            :
            [
                .. Enumerable
                    .Range(0, count)
                    .Select(_ =>
                        all[
                            (int)(
                                ((uint)((int)(all.Length * Math.Pow(Chance.NextDouble(), 3)) * 7919L))
                                % (uint)all.Length
                            )
                        ]
                    )
                    .Distinct(),
            ];
    }

    public string Word(int length = 8) =>
        string.Concat(Enumerable.Range(0, length).Select(_ => "abcdefghijklmnopqrstuvwxyz0123456789"[Chance.Next(36)]));

    /// <summary>Adds the files as they are now to a history, as one version of so many.</summary>
    public Task AddToAsync(ListsInOrder lists, int version, int versions) =>
        lists.AddAsync(
            new BackupVersion(versions - 1 - version, new DateTimeOffset(Begin).AddDays(version), $"v{version}"),
            receive =>
            {
                Pass(receive);
                return Task.FromResult<string?>(null);
            }
        );

    /// <summary>Passes the files on as a file list has them.</summary>
    public void Pass(Action<EntryInList> receive)
    {
        byte[] hash = new byte[32];
        foreach ((string path, MadeFile file) in Files)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(hash, file.Content * 0x9E3779B97F4A7C15);
            receive(
                new EntryInList(
                    Encoding.UTF8.GetBytes(path),
                    Restore.Format.EntryKind.File,
                    file.SizeBytes,
                    file.TimeTicks,
                    hash,
                    []
                )
            );
        }
    }
}
