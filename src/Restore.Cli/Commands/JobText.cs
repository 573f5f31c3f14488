namespace Restore.Cli.Commands;

/// <summary>A job of Duplicati, without its secrets.</summary>
internal static class JobText
{
    private const int MaxSources = 8;

    public static IEnumerable<string> Lines(DuplicatiJob job)
    {
        yield return $"{job.Name}{(job.Id.Length > 0 ? $" (number {job.Id})" : "")}";
        yield return $"    target      {(job.Location is null ? "not known" : StorageLocation.Shown(job.Location))}";
        yield return $"    passphrase  {Passphrase(job)}";
        if (job.Options.GetValueOrDefault("prefix") is { Length: > 0 } prefix)
        {
            yield return $"    prefix      {prefix}";
        }

        if (job.DatabasePath is { } database)
        {
            yield return $"    database    {database}{(File.Exists(database) ? "" : " (not there)")}";
        }

        foreach (var source in job.Sources.Take(MaxSources))
        {
            yield return $"    source      {StorageLocation.ShownSource(source)}";
        }

        if (job.Sources.Count > MaxSources)
        {
            yield return $"    source      and {Units.Count(job.Sources.Count - MaxSources, "other")}";
        }

        yield return $"    from        {job.Origin}";
        if (job.Problem is not null)
        {
            yield return $"    problem     {Problem(job)}";
        }
    }

    public static JsonObject JsonOf(DuplicatiJob job) =>
        new()
        {
            ["id"] = job.Id,
            ["name"] = job.Name,
            ["target"] = job.Location is null ? null : StorageLocation.Shown(job.Location),
            ["hasPassphrase"] = job.Options.ContainsKey("passphrase"),
            ["encrypted"] = !IsUnencrypted(job),
            ["prefix"] = job.Options.GetValueOrDefault("prefix"),
            ["database"] = job.DatabasePath,
            ["databaseExists"] = job.DatabasePath is not null && File.Exists(job.DatabasePath),
            ["sources"] = Json.Strings(job.Sources.Select(StorageLocation.ShownSource)),
            ["filters"] = Json.Strings(job.Filters.Select(filter => (filter.Include ? "+" : "-") + filter.Expression)),
            ["from"] = job.Origin,
            ["problem"] = job.Problem is null ? null : Problem(job),
        };

    private static string Passphrase(DuplicatiJob job) =>
        job.Options.ContainsKey("passphrase") ? "in the job"
        : IsUnencrypted(job) ? "none, the backup is not encrypted"
        : "not in the job";

    private static bool IsUnencrypted(DuplicatiJob job) =>
        (job.Options.TryGetValue("no-encryption", out var off) && off is "" or "true" or "True")
        || (job.Options.TryGetValue("encryption-module", out var module) && module.Length == 0);

    private static string Problem(DuplicatiJob job) =>
        job.Problem switch
        {
            RestoreErrorCode.SettingsKeyMissing =>
                "settings are encrypted; --job-key-file or the variable SETTINGS_ENCRYPTION_KEY opens them",
            RestoreErrorCode.SettingsKeyWrong => "settings are encrypted with another key",
            _ => "an encrypted setting is damaged",
        };
}
