using System.Runtime.CompilerServices;

namespace Restore.Tests.Faults;

/// <summary>A store whose n-th call goes wrong.</summary>
/// <param name="inner">The store with the files.</param>
/// <param name="trouble">What goes wrong; null for nothing.</param>
/// <param name="number">With which call, from 1; for a listing that lies, with which file.</param>
internal sealed class TroubledStore(ScriptedStore inner, StoreTrouble? trouble, int number) : IVolumeStore
{
    private int calls;
    private string? victim;

    public string DisplayName => "troubled";

    public bool HasRanges => inner.HasRanges;

    public bool IsLocal => inner.IsLocal;

    /// <summary>Calls so far.</summary>
    public int Calls => calls;

    public async IAsyncEnumerable<StoredFile> ListAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        int call = Interlocked.Increment(ref calls);
        int place = 0;
        if (IsDown(call))
        {
            throw Failure(0);
        }

        await foreach (StoredFile file in inner.ListAsync(cancellationToken))
        {
            place++;
            if (call == number && trouble == StoreTrouble.BreaksOff && place == 3)
            {
                throw Failure(0);
            }

            yield return (place == number, trouble) switch
            {
                (true, StoreTrouble.ListedSmaller) => file with { SizeBytes = file.SizeBytes * 2 / 3 },
                (true, StoreTrouble.ListedHuge) => file with { SizeBytes = 1L << 60 },
                _ => file,
            };
        }
    }

    public async ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    )
    {
        int call = Interlocked.Increment(ref calls);
        if (IsDown(call))
        {
            throw Failure(0);
        }

        bool isBefallen = call == number;
        if (
            isBefallen
            || (
                victim == name
                && trouble is StoreTrouble.Vanished or StoreTrouble.ChangedToShorter or StoreTrouble.ChangedContent
            )
        )
        {
            victim ??= name;
            return await ReadBadlyAsync(name, offset, destination, cancellationToken);
        }

        return await inner.ReadAsync(name, offset, destination, cancellationToken);
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private bool IsDown(int call) =>
        trouble is StoreTrouble.Busy or StoreTrouble.NoAnswer
            ? call == number
            : trouble == StoreTrouble.Gone && call >= number;

    private TransientStoreException Failure(int bytesRead) =>
        new($"The store is in trouble ({trouble})")
        {
            BytesRead = bytesRead,
            StoreUnreachable = trouble is StoreTrouble.NoAnswer or StoreTrouble.Gone,
        };

    private async Task<int> ReadBadlyAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken
    )
    {
        long length = inner[name].Length;
        long from = trouble == StoreTrouble.WrongPlace ? length / 3 : offset;
        int count = await inner.ReadAsync(name, from, destination, cancellationToken);
        switch (trouble)
        {
            case StoreTrouble.Vanished:
                throw new FileNotFoundException($"{name} is gone");
            case StoreTrouble.Refused:
                throw new AccessRefusedException($"{name} is refused");
            case StoreTrouble.BreaksOff:
                throw Failure(count / 2);
            case StoreTrouble.EndsEarly:
                return count / 2;
            case StoreTrouble.ChangedToShorter:
                return (int)Math.Clamp((length / 2) - offset, 0, count);
            case StoreTrouble.WrongByte when count > 0:
                destination.Span[count / 2] ^= 0x10;
                break;
            case StoreTrouble.ChangedContent:
                destination.Span[..count].Reverse();
                break;
        }

        return count;
    }
}
