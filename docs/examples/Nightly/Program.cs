using Restore;

// usage: Nightly BACKUP [--now]   verifies 5 % of all versions, chosen at random, each night at two; the passphrase is in the variable PASSPHRASE
bool isNow = args.Contains("--now");
do
{
    if (!isNow)
    {
        DateTimeOffset now = TimeProvider.System.GetLocalNow();
        await Task.Delay(now.Date.AddDays(now.Hour < 2 ? 0 : 1).AddHours(2) - now.DateTime);
    }

    try
    {
        await VerifyAsync(args[0]);
    }
    catch (RestoreException failure)
    {
        // The store may be back tomorrow. The code never changes its meaning, so a monitoring system can rely on it.
        Console.Error.WriteLine($"{failure.Code}: {failure.Message}");
    }
}
while (!isNow);

static async Task VerifyAsync(string location)
{
    await using Backup backup = await Backup.OpenAsync(location, new BackupOptions { Passphrase = Environment.GetEnvironmentVariable("PASSPHRASE") });
    DrillSample sample = new(0.05, TimeProvider.System.GetLocalNow().DayOfYear);
    RestorePlan plan = await backup.PlanDrillAsync(backup.Versions, new RestoreOptions(), sample);
    RestoreReport report = await backup.ExecuteAsync(plan);
    Console.WriteLine($"{report.FilesRestored} files verified, {report.Issues.Count} issues");
    foreach (LostVolume volume in report.LostVolumes)
    {
        Console.WriteLine($"{volume.Name} is {(volume.IsInStore ? "damaged" : "missing")}: {volume.Entries} entries, {volume.Bytes} bytes");
    }
}
