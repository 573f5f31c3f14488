using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;

namespace Restore.Ends.Portable;

/// <summary>
/// Names each account of access rules that this system does not know, once: after a move to a new
/// computer that is the account of every file. Safe for concurrent use.
/// </summary>
internal sealed class UnknownAccounts
{
    // A hostile backup may have another account in every rule.
    private const int MaxNamed = 20;
    private const int MaxRemembered = 4096;

    private readonly ConcurrentDictionary<string, bool> seen = new(StringComparer.Ordinal);
    private int named;

    /// <summary>
    /// Whether it is an account of a computer, a domain or a cloud. Others are the same everywhere.
    /// </summary>
    internal static bool IsOfAccount(string sid) =>
        sid.StartsWith("S-1-5-21-", StringComparison.Ordinal) || sid.StartsWith("S-1-12-1-", StringComparison.Ordinal);

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
