using Restore.Storage;

namespace Restore.Tests.Web.Browser;

/// <summary>A store in which reads of some files wait until they are released.</summary>
internal sealed class HeldStore(IVolumeStore inner, Predicate<string> isHeld) : ForwardingStore(inner)
{
    private readonly TaskCompletionSource released = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Holds the file lists of some versions.</summary>
    public HeldStore(IVolumeStore inner, params string[] times)
        : this(
            inner,
            name =>
                name.Contains(".dlist.", StringComparison.Ordinal)
                && times.Any(time => name.Contains(time, StringComparison.Ordinal))
        ) { }

    public void Release() => released.TrySetResult();

    public override async ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    )
    {
        if (isHeld(name))
        {
            await released.Task.WaitAsync(cancellationToken);
        }

        return await Inner.ReadAsync(name, offset, destination, cancellationToken);
    }

    public override ValueTask DisposeAsync()
    {
        Release();
        return base.DisposeAsync();
    }
}
