using System.Security.Cryptography;
using Restore;

// usage: End BACKUP [PASSPHRASE]   prints what sha256sum would print of the files of the newest version, without writing any of them
await using Backup backup = await Backup.OpenAsync(args[0], new BackupOptions { Passphrase = args.ElementAtOrDefault(1) });
ExportReport report = await backup.ExportAsync(backup.Versions[0], new ChecksumEnd(Console.Out));
foreach (RestoreIssue issue in report.Issues)
{
    Console.Error.WriteLine($"{issue.Kind}: {issue.Path}: {issue.Reason}");
}

return report.Issues.Count == 0 ? 0 : 2;

/// <summary>An end that takes the entries one after another. A read of lost bytes throws, and the report has the loss.</summary>
internal sealed class ChecksumEnd(TextWriter output) : IEntrySink
{
    public async ValueTask TakeAsync(ExportedEntry entry, Stream content, CancellationToken cancellationToken)
    {
        if (entry.Entry.Kind == BackupEntryKind.File)
        {
            byte[] hash = await SHA256.HashDataAsync(content, cancellationToken);
            await output.WriteLineAsync($"{Convert.ToHexStringLower(hash)}  {entry.Entry.Path}");
        }
    }
}
