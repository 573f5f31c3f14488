using System.Runtime.InteropServices.JavaScript;
using System.Text;
using Restore;

namespace Restore.Browser;

internal static partial class Program
{
    private static Backup? backup;

    private static void Main()
    {
    }

    [JSExport]
    public static async Task<string> OpenAsync(string passphrase)
    {
        try
        {
            backup = await Backup.OpenAsync(new TabStore(), new BackupOptions { Passphrase = passphrase.Length == 0 ? null : passphrase });
            StringBuilder text = new();
            foreach (var v in backup.Versions)
            {
                text.AppendLine($"{v.Index} {v.Time}");
                int n = 0;
                await foreach (var e in backup.ListAsync(v))
                {
                    if (n++ < 5)
                    {
                        text.AppendLine($"  {e.Path} {e.SizeBytes}");
                    }
                }
            }

            using MemoryStream zip = new();
            var sw = System.Diagnostics.Stopwatch.StartNew();
            var report = await backup.ExportArchiveAsync(backup.Versions[0], zip, ArchiveFormat.Zip);
            text.AppendLine($"zip {zip.Length} files {report.Files} issues {report.Issues.Count} {sw.ElapsedMilliseconds} ms");
            foreach (var i in report.Issues)
            {
                text.AppendLine(i.ToString());
            }

            return text.ToString();
        }
        catch (Exception e)
        {
            return e.ToString();
        }
    }
}
