using Microsoft.Extensions.DependencyInjection;
using Restore;
using Restore.Azure;
using Restore.DependencyInjection;
using Restore.S3;
using Restore.Sftp;
using Restore.Stores;

// usage: Verify BACKUP [PASSPHRASE]   reads all data of the newest version, wherever the backup is, and writes nothing
// deploy/try-release builds this program from the packages of a release.
ServiceCollection services = new();
services.AddSingleton<IStoreProvider, S3StoreProvider>();
services.AddSingleton<IStoreProvider, SftpStoreProvider>();
services.AddSingleton<IStoreProvider, AzureStoreProvider>();
services.AddBackup(args[0], (_, options) => options with { Passphrase = args.ElementAtOrDefault(1) });
await using ServiceProvider provider = services.BuildServiceProvider();
Backup backup = await provider.GetRequiredService<BackupSource>().GetAsync();
if (!await backup.CheckPassphraseAsync())
{
    Console.Error.WriteLine("The passphrase does not open the backup");
    return 1;
}

RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { VerifyOnly = true });
RestoreReport report = await backup.ExecuteAsync(plan);
Console.WriteLine($"{report.Issues.Count} issues");
return report.IsComplete ? 0 : 2;
