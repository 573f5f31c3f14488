namespace Restore.Volumes;

/// <summary>What a list of volumes is judged by, before any of them is read.</summary>
/// <param name="HasPassphrase">Whether the user gave a passphrase, so that the backup should be
/// encrypted.</param>
/// <param name="AllowsUnencrypted">Whether unencrypted file lists and index volumes are accepted
/// all the same.</param>
internal readonly record struct TrustRules(bool HasPassphrase, bool AllowsUnencrypted, DateTimeOffset Now)
{
    /// <summary>How far clocks may differ: more than any zone from any other.</summary>
    public static readonly TimeSpan Tolerance = TimeSpan.FromDays(1);
}
