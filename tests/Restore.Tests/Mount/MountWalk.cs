using System.Buffers.Binary;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Restore.Mount;

namespace Restore.Tests.Mount;

/// <summary>
/// Reads a mounted backup as the kernel does, call by call, but in the process of the test.
/// </summary>
internal sealed class MountWalk : IAsyncDisposable
{
    // Small, so that folders and files come in several parts.
    private const int ListBytes = 1500;
    private const int ReadBytes = 70_000;

    private readonly MountedBackup backup;

    private MountWalk(MountedBackup backup, MountSettings settings)
    {
        this.backup = backup;
        Files = new MountedFiles(backup, settings);
    }

    public IMountedFiles Files { get; }

    /// <summary>What the user reads.</summary>
    public List<string> Warnings { get; private init; } = [];

    /// <summary>Calls that failed, by the path.</summary>
    public List<string> Failures { get; } = [];

    public static async Task<MountWalk> OpenAsync(
        Func<CancellationToken, Task<Backup>> open,
        TimeProvider? clock = null,
        long maxTreeBytes = 1 << 30
    )
    {
        List<string> warnings = [];
        BlockMemory memory = new();
        MountSettings settings = new(open, memory, warnings.Add, clock ?? new FakeClock())
        {
            MaxTreeBytes = maxTreeBytes,
            UserId = 1234,
            GroupId = 4321,
        };
        return new MountWalk(new MountedBackup(await open(default), settings), settings) { Warnings = warnings };
    }

    /// <summary>The names in a folder with the numbers of their nodes.</summary>
    public async Task<List<(ulong Node, string Name)>> ListAsync(ulong folder)
    {
        List<(ulong, string)> found = [];
        byte[] buffer = new byte[ListBytes];
        for (long position = 0; ; )
        {
            FolderWriter writer = new(buffer);
            await Files.ListAsync(folder, position, writer, default);
            if (writer.Length == 0)
            {
                Assert.Equal([".", ".."], found.Take(2).Select(entry => entry.Item2));
                return found[2..];
            }

            for (int at = 0; at < writer.Length; )
            {
                int length = BinaryPrimitives.ReadInt32LittleEndian(buffer.AsSpan(at + 16));
                found.Add(
                    (
                        BinaryPrimitives.ReadUInt64LittleEndian(buffer.AsSpan(at)),
                        Encoding.UTF8.GetString(buffer, at + 24, length)
                    )
                );
                position = BinaryPrimitives.ReadInt64LittleEndian(buffer.AsSpan(at + 8));
                at += (24 + length + 7) / 8 * 8;
            }
        }
    }

    /// <summary>The node of a path; null if there is none.</summary>
    public async Task<NodeFacts?> FindAsync(string path)
    {
        NodeFacts? node = await Files.FactsAsync(1, default);
        foreach (string name in path.Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            node = node is null
                ? null
                : await Files.LookUpAsync(node.Value.Node, Encoding.UTF8.GetBytes(name), default);
        }

        return node;
    }

    public async Task<byte[]> ReadAsync(NodeFacts file)
    {
        ulong handle = await Files.OpenAsync(file.Node, default);
        try
        {
            using MemoryStream content = new();
            byte[] buffer = new byte[ReadBytes];
            int read;
            while ((read = await Files.ReadAsync(handle, content.Length, buffer, default)) > 0)
            {
                content.Write(buffer, 0, read);
            }

            return content.ToArray();
        }
        finally
        {
            await Files.CloseAsync(handle);
        }
    }

    /// <summary>Everything below a folder, by the path from there.</summary>
    public async Task<SortedDictionary<string, TreeEntry>> ReadTreeAsync(string folder)
    {
        SortedDictionary<string, TreeEntry> found = new(StringComparer.Ordinal);
        NodeFacts root = await FindAsync(folder) ?? throw new InvalidOperationException($"There is no {folder}");
        await VisitAsync(root, ".", found);
        return found;
    }

    public async ValueTask DisposeAsync() => await backup.DisposeAsync();

    private async Task VisitAsync(NodeFacts facts, string path, SortedDictionary<string, TreeEntry> found)
    {
        TreeEntry entry = new(
            path,
            facts.IsFolder ? "directory"
                : (facts.Mode & 0xF000) == NodeFacts.Link ? "symlink"
                : "file"
        )
        {
            ModifiedTicks = facts.Ticks - DateTime.UnixEpoch.Ticks,
            Owner = (facts.UserId, facts.GroupId),
            Mode = Convert.ToString(facts.Mode & 0xFFF, 8).PadLeft(4, '0'),
        };
        if (facts.IsFolder)
        {
            found.Add(path, entry);
            foreach ((ulong node, string name) in await ListAsync(facts.Node))
            {
                Assert.True(
                    name is not ("" or "." or "..")
                        && name.IndexOfAny(['/', '\0']) < 0
                        && Encoding.UTF8.GetByteCount(name) <= 255,
                    name
                );
                NodeFacts child =
                    await Files.LookUpAsync(facts.Node, Encoding.UTF8.GetBytes(name), default)
                    ?? throw new InvalidOperationException($"{name} is listed in {path} and not found");
                Assert.Equal((node, child), (child.Node, await Files.FactsAsync(node, default)));
                await VisitAsync(child, path == "." ? name : $"{path}/{name}", found);
            }

            return;
        }

        try
        {
            found.Add(
                path,
                entry.Type == "symlink"
                    ? entry with
                    {
                        LinkTarget = Encoding.UTF8.GetString(await Files.LinkTargetAsync(facts.Node, default)),
                        Mode = null,
                    }
                    : await WithContentAsync(entry, facts)
            );
        }
        catch (Exception failure) when (failure is IOException or RestoreException)
        {
            Failures.Add(string.Create(CultureInfo.InvariantCulture, $"{path}: {failure.Message}"));
        }
    }

    private async Task<TreeEntry> WithContentAsync(TreeEntry entry, NodeFacts facts)
    {
        byte[] content = await ReadAsync(facts);
        Assert.Equal(facts.SizeBytes, content.Length);
        return entry with { SizeBytes = content.Length, Sha256 = Convert.ToHexStringLower(SHA256.HashData(content)) };
    }
}
