using Restore;
using Restore.Azure;
using Restore.S3;
using Restore.Sftp;
using Restore.Stores;

// usage: Verify BACKUP [PASSPHRASE]   reads all data of the newest version, wherever the backup is, and writes nothing
// deploy/try-release builds this program from the packages of a release.
var options = new BackupOptions
{
    Passphrase = args.ElementAtOrDefault(1),
    Stores = StoreRegistry.Default.With(new S3StoreProvider()).With(new SftpStoreProvider()).With(new AzureStoreProvider()),
};
await using Backup backup = await Backup.OpenAsync(args[0], options);
RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { VerifyOnly = true });
RestoreReport report = await backup.ExecuteAsync(plan);
Console.WriteLine($"{report.Issues.Count} issues");
