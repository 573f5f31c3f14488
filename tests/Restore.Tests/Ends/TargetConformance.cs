using Restore.Resume;

namespace Restore.Tests.Ends;

/// <summary>
/// What every target that writes to a file system must do; run against each implementation.
/// </summary>
public abstract partial class TargetConformance : IDisposable
{
    private readonly TempFolder temp = TempFolder.WithVictim();

    /// <summary>Ordinary users can set fewer things; the tests hold for them too.</summary>
    private protected static bool IsRoot => Environment.IsPrivilegedProcess;

    private protected TempFolder Temp => temp;

    private protected abstract IRestoreTarget Open(string root);

    private protected static byte[] Bytes(int length, int seed = 1)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    private protected static void Write(
        IRestoreTarget target,
        string path,
        ReadOnlySpan<byte> data,
        TargetOpenMode mode = TargetOpenMode.CreateNew
    )
    {
        using ITargetFile file = target.OpenFile(path, mode);
        file.Write(0, data);
    }

    /// <summary>
    /// Writes a file under a temporary name and renames it over what is at the path.
    /// </summary>
    private protected static void Replace(IRestoreTarget target, string path, ReadOnlySpan<byte> data)
    {
        string temporary = RecordNames.NextTo(path, RecordNames.Partial(run: 1, number: 2));
        Write(target, temporary, data);
        try
        {
            target.Rename(temporary, path, withPermissions: false);
        }
        finally
        {
            target.DeleteFile(temporary);
        }
    }

    public void Dispose()
    {
        temp.Dispose();
        GC.SuppressFinalize(this);
    }
}
