using System.Text;

namespace Restore.Tests.Trust;

/// <summary>A backup whose file list has one entry three million times.</summary>
public sealed class LongList : IDisposable
{
    private readonly MadeBackup backup = new();

    public LongList()
    {
        backup.File("/a/b", [1]);
        backup.Write();
        backup.WriteList(
            json: Encoding.UTF8.GetBytes(
                $"[{string.Join(',', Enumerable.Repeat("""{"type":"Folder","path":"/a/"}""", 3_000_000))}]"
            )
        );
    }

    public string Source => backup.Source;

    public string Target => backup.Target;

    public void Dispose() => backup.Dispose();
}
