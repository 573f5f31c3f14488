namespace Restore.Jobs;

/// <summary>
/// A backup job of Duplicati, from the database of its server or from an exported configuration.
/// Location and options can contain credentials.
/// </summary>
public sealed class DuplicatiJob
{
    /// <summary>
    /// Its number in the database; empty for an exported configuration without one.
    /// </summary>
    public required string Id { get; init; }

    /// <summary>Its name.</summary>
    public required string Name { get; init; }

    /// <summary>The file that it was read from.</summary>
    public required string Origin { get; init; }

    /// <summary>
    /// The storage URL of the backup, with the credentials in it; null if it cannot be decrypted.
    /// </summary>
    public string? Location { get; init; }

    /// <summary>
    /// Path of its local database; null if none is recorded. The file need not exist.
    /// </summary>
    public string? DatabasePath { get; init; }

    /// <summary>What it backs up; without the sources that cannot be decrypted.</summary>
    public IReadOnlyList<string> Sources { get; init; } = [];

    /// <summary>
    /// The options of the job and the options that apply to all jobs, by name without dashes:
    /// <c>passphrase</c>, <c>prefix</c>, options of the store, and many that matter only to
    /// backups. Without values that cannot be decrypted, and without those that an export replaced
    /// by asterisks.
    /// </summary>
    public IReadOnlyDictionary<string, string> Options { get; init; } = new Dictionary<string, string>();

    /// <summary>
    /// What it leaves out of its backups, in Duplicati's order. A restore does not need them,
    /// because the backups already exist.
    /// </summary>
    public IReadOnlyList<FilterRule> Filters { get; init; } = [];

    /// <summary>
    /// Why some of it cannot be read: <see cref="RestoreErrorCode.SettingsKeyMissing"/>,
    /// <see cref="RestoreErrorCode.SettingsKeyWrong"/>, or
    /// <see cref="RestoreErrorCode.ServerDatabaseUnusable"/> for damage; null if everything can be
    /// read.
    /// </summary>
    public string? Problem { get; init; }

    /// <summary>Requires that all of it can be read.</summary>
    /// <exception cref="RestoreException"><see cref="Problem"/> as an error.</exception>
    public void RequireReadable()
    {
        if (Problem is string problem)
        {
            throw new RestoreException(problem, $"{SentenceOf(problem)}: '{Name}'", Origin);
        }
    }

    /// <summary>Only the name: location and options contain secrets.</summary>
    public override string ToString() => Name;

    private static string SentenceOf(string problem) =>
        problem switch
        {
            RestoreErrorCode.SettingsKeyMissing => "The settings of the job are encrypted and no key was given",
            RestoreErrorCode.SettingsKeyWrong => "The settings of the job are encrypted with another key",
            _ => "An encrypted setting of the job is damaged",
        };
}
