using System.Runtime.CompilerServices;
using Restore.Storage;

namespace Restore.Tests.Support;

/// <summary>
/// A store in memory. A test decides which files it has, which calls fail and what happens before a
/// read, and sees every read.
/// </summary>
internal sealed class ScriptedStore : IVolumeStore
{
    private readonly Lock gate = new();
    private readonly Dictionary<string, byte[]> files = [];
    private readonly List<(string Name, long Offset, int Length)> reads = [];
    private readonly Queue<Exception?> script = [];
    private readonly byte[]? content;

    /// <summary>An empty store.</summary>
    public ScriptedStore() { }

    /// <summary>
    /// Every name has the same content. Each read or listing takes the next step of the script: an
    /// exception fails, null succeeds.
    /// </summary>
    public ScriptedStore(byte[] content, params Exception?[] script)
    {
        this.content = content;
        this.script = new Queue<Exception?>(script);
    }

    public string DisplayName { get; init; } = "scripted://store";

    public bool HasRanges { get; set; } = true;

    public bool IsLocal { get; init; }

    /// <summary>What a listing gives; null lists the files as they are.</summary>
    public IEnumerable<StoredFile>? Listed { get; init; }

    /// <summary>How many files a listing gives before it fails.</summary>
    public int ListedBeforeFailure { get; init; }

    /// <summary>
    /// How many bytes a read that starts inside a file gets, by the number that it asks for.
    /// </summary>
    public Func<int, int> InnerRead { get; init; } = length => length;

    /// <summary>Called before a file is read.</summary>
    public Func<string, CancellationToken, ValueTask>? BeforeRead { get; set; }

    /// <summary>
    /// Called after a read, with the name, the place and the bytes, which it may change; says how
    /// many of them the reader gets.
    /// </summary>
    public Func<string, long, Memory<byte>, int>? AfterRead { get; set; }

    public int Listings { get; private set; }

    public IEnumerable<string> Names => files.Keys;

    /// <summary>Every read so far, in order.</summary>
    public IReadOnlyList<(string Name, long Offset, int Length)> Reads
    {
        get
        {
            lock (gate)
            {
                return [.. reads];
            }
        }
    }

    /// <summary>How many bytes the reads asked for.</summary>
    public long BytesRead => Reads.Sum(read => (long)read.Length);

    public byte[] this[string name]
    {
        get => files[name];
        set => files[name] = value;
    }

    /// <summary>
    /// The files of a folder, copied into memory. The folder is the store's name.
    /// </summary>
    public static ScriptedStore OfFolder(string folder, bool isLocal = false, Func<int, int>? innerRead = null)
    {
        ScriptedStore store = new()
        {
            DisplayName = folder,
            IsLocal = isLocal,
            InnerRead = innerRead ?? (length => length),
        };
        foreach (string file in Directory.EnumerateFiles(folder))
        {
            store[Path.GetFileName(file)] = File.ReadAllBytes(file);
        }

        return store;
    }

    /// <summary>How often files with these letters in their name were read.</summary>
    public int ReadsOf(string part) => Reads.Count(read => read.Name.Contains(part, StringComparison.Ordinal));

    public void ForgetReads()
    {
        lock (gate)
        {
            reads.Clear();
        }
    }

    public void Remove(string name) => files.Remove(name);

    public async IAsyncEnumerable<StoredFile> ListAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        await Task.Yield();
        Listings++;
        Exception? failure = NextStep();
        IEnumerable<StoredFile> all = Listed ?? files.Select(file => new StoredFile(file.Key, file.Value.Length));
        foreach (StoredFile file in failure is null ? all : all.Take(ListedBeforeFailure))
        {
            yield return file;
        }

        if (failure is not null)
        {
            throw failure;
        }
    }

    public async ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    )
    {
        lock (gate)
        {
            reads.Add((name, offset, destination.Length));
        }

        await (BeforeRead?.Invoke(name, cancellationToken) ?? ValueTask.CompletedTask);
        byte[] source =
            files.GetValueOrDefault(name) ?? content ?? throw new FileNotFoundException($"{name} is not there");
        Exception? failure = NextStep();
        int wanted = offset > 0 ? InnerRead(destination.Length) : destination.Length;
        int count =
            (failure as TransientStoreException)?.BytesRead ?? (int)Math.Clamp(source.Length - offset, 0, wanted);
        source.AsSpan((int)Math.Min(offset, source.Length), count).CopyTo(destination.Span);
        return failure is not null ? throw failure
            : AfterRead is null ? count
            : AfterRead(name, offset, destination[..count]);
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private Exception? NextStep()
    {
        lock (gate)
        {
            return script.TryDequeue(out Exception? step) ? step : null;
        }
    }
}
