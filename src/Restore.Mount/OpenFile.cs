namespace Restore.Mount;

/// <summary>An open file of a mount; its reads come one after the other.</summary>
/// <param name="backup">The backup.</param>
/// <param name="treeNumber">The tree of the file.</param>
/// <param name="node">Where it is in the tree.</param>
/// <param name="entered">The tree, which the file leaves when it is closed.</param>
internal sealed class OpenFile(MountedBackup backup, uint treeNumber, TreeId node, OpenTree entered) : IAsyncDisposable
{
    private readonly SemaphoreSlim gate = new(1, 1);
    private OpenTree? tree = entered;
    private Stream? content;

    public async ValueTask<int> ReadAsync(long offset, Memory<byte> destination, CancellationToken cancellationToken)
    {
        await gate.WaitAsync(cancellationToken);
        try
        {
            return await FillAsync(offset, destination, cancellationToken);
        }
        catch (Exception failure) when (failure is IOException or RestoreException)
        {
            if (!await backup.LookAfterLossAsync(cancellationToken))
            {
                if (tree is not null && MountWarnings.OfLoss(tree.Tree, node) is { } sentence)
                {
                    throw new IOException(sentence, failure);
                }

                throw;
            }

            await LeaveAsync();
            return await FillAsync(offset, destination, cancellationToken);
        }
        finally
        {
            gate.Release();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await gate.WaitAsync();
        try
        {
            await LeaveAsync();
        }
        finally
        {
            gate.Release();
        }
    }

    /// <summary>
    /// A short read would be the end of the file for the kernel, so a loss anywhere in the range
    /// fails the whole; the kernel asks again page by page.
    /// </summary>
    private async ValueTask<int> FillAsync(long offset, Memory<byte> destination, CancellationToken cancellationToken)
    {
        tree ??= await backup.EnterAsync(treeNumber, cancellationToken);
        content ??= await tree.Tree.OpenFileAsync(node, cancellationToken);
        content.Position = offset;
        var done = 0;
        int read;
        while (
            done < destination.Length && (read = await content.ReadAsync(destination[done..], cancellationToken)) > 0
        )
        {
            done += read;
        }

        return done;
    }

    private async ValueTask LeaveAsync()
    {
        if (content is not null)
        {
            await content.DisposeAsync();
        }

        if (tree is not null)
        {
            await tree.LeaveAsync();
        }

        (content, tree) = (null, null);
    }
}
