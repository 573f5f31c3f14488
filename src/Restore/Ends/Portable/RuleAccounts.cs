using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;

namespace Restore.Ends.Portable;

/// <summary>
/// The accounts of access rules. It asks the system for each account once, because that can ask a
/// server, and names each one that the system does not know once: after a move to a new computer
/// that is the account of every file. Safe for concurrent use.
/// </summary>
internal sealed class RuleAccounts
{
    // A hostile backup may have another account in every rule.
    private const int MaxNamed = 20;
    private const int MaxRemembered = 4096;

    private readonly ConcurrentDictionary<string, bool> seen = new(StringComparer.Ordinal);

    // SIDs, which only Windows has.
    private readonly RememberedAnswers<object?> found = new(account =>
        OperatingSystem.IsWindows() ? KnownAccounts.SidOf(account) : null
    );
    private int named;

    /// <summary>
    /// Whether it is an account of a computer, a domain or a cloud. Others are the same everywhere.
    /// </summary>
    internal static bool IsOfAccount(string sid) =>
        sid.StartsWith("S-1-5-21-", StringComparison.Ordinal) || sid.StartsWith("S-1-12-1-", StringComparison.Ordinal);

    /// <summary>The SID itself, or the SID of an account; null if there is no such account.</summary>
    [SupportedOSPlatform("windows")]
    public SecurityIdentifier? SidOf(string account) => (SecurityIdentifier?)found.Of(account);

    [SupportedOSPlatform("windows")]
    public void Note(IEnumerable<FileSystemAccessRule> rules, ref UnappliedMetadata shortfalls)
    {
        foreach (FileSystemAccessRule rule in rules)
        {
            if (
                rule.IdentityReference is SecurityIdentifier sid
                && IsOfAccount(sid.Value)
                && seen.Count < MaxRemembered
                && seen.TryAdd(sid.Value, true)
                && !KnownAccounts.HasName(sid)
                && Interlocked.Increment(ref named) <= MaxNamed
            )
            {
                shortfalls.AddUnknownAccount(sid.Value);
            }
        }
    }
}
