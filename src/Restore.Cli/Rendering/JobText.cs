using System.Text.Json;
using Restore.Cli.Options;

namespace Restore.Cli.Rendering;

/// <summary>A job of Duplicati, without its secrets.</summary>
internal static class JobText
{
    private const int MaxSources = 8;

    public static IEnumerable<string> Lines(DuplicatiJob job)
    {
        yield return $"{job.Name}{(job.Id.Length > 0 ? $" (number {job.Id})" : "")}";
        yield return $"    target      {(job.Location is null ? "not known" : JobLocation.Shown(job.Location))}";
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
            yield return $"    source      {JobLocation.ShownSource(source)}";
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

    public static void Write(Utf8JsonWriter json, DuplicatiJob job)
    {
        json.WriteString("id", job.Id);
        json.WriteString("name", job.Name);
        json.WriteString("target", job.Location is null ? null : JobLocation.Shown(job.Location));
        json.WriteBoolean("hasPassphrase", job.Options.ContainsKey("passphrase"));
        json.WriteBoolean("encrypted", !IsUnencrypted(job));
        json.WriteString("prefix", job.Options.GetValueOrDefault("prefix"));
        json.WriteString("database", job.DatabasePath);
        json.WriteBoolean("databaseExists", job.DatabasePath is not null && File.Exists(job.DatabasePath));
        Json.Strings(json, "sources", job.Sources.Select(JobLocation.ShownSource));
        Json.Strings(json, "filters", job.Filters.Select(filter => (filter.Include ? "+" : "-") + filter.Expression));
        json.WriteString("from", job.Origin);
        json.WriteString("problem", job.Problem is null ? null : Problem(job));
    }

    private static string Passphrase(DuplicatiJob job) =>
        job.Options.ContainsKey("passphrase") ? "in the job" : IsUnencrypted(job) ? "none, the backup is not encrypted" : "not in the job";

    private static bool IsUnencrypted(DuplicatiJob job) =>
        (job.Options.TryGetValue("no-encryption", out var off) && off is "" or "true" or "True")
        || (job.Options.TryGetValue("encryption-module", out var module) && module.Length == 0);

    private static string Problem(DuplicatiJob job) => job.Problem switch
    {
        RestoreErrorCode.SettingsKeyMissing => "settings are encrypted; --job-key-file or the variable SETTINGS_ENCRYPTION_KEY opens them",
        RestoreErrorCode.SettingsKeyWrong => "settings are encrypted with another key",
        _ => "an encrypted setting is damaged",
    };
}
