using System.Runtime.Versioning;
using System.Security.Principal;
using Restore.Ends.Unix;

namespace Restore.Ends;

/// <summary>The accounts that this system knows.</summary>
internal static class KnownAccounts
{
    /// <summary>
    /// Refuses an owner map that names an account that is not here: its files would get no owner.
    /// </summary>
    /// <exception cref="RestoreException">An account is unknown.</exception>
    public static void Require(RestoreOptions options)
    {
        if (options.VerifyOnly || OwnerMap.Of(options) is null)
        {
            return;
        }

        Accounts accounts = new();
        foreach ((string old, string account) in options.MapOwners)
        {
            bool isKnown = OperatingSystem.IsWindows()
                ? !OwnerMap.IsSid(old) || SidOf(account) is not null
                : OwnerMap.IsSid(old) || IsKnown(account, accounts);
            if (!isKnown)
            {
                throw new RestoreException(
                    RestoreErrorCode.AccountUnknown,
                    "This system does not know the account that an owner is mapped to",
                    account
                );
            }
        }
    }

    /// <summary>The SID itself, or the SID of an account; null if there is no such account.</summary>
    [SupportedOSPlatform("windows")]
    public static SecurityIdentifier? SidOf(string account)
    {
        try
        {
            return OwnerMap.IsSid(account)
                ? new SecurityIdentifier(account)
                : (SecurityIdentifier)new NTAccount(account).Translate(typeof(SecurityIdentifier));
        }
        catch (Exception failure) when (failure is IdentityNotMappedException or ArgumentException)
        {
            return null;
        }
    }

    /// <summary>Whether the system can show a name for an account.</summary>
    [SupportedOSPlatform("windows")]
    public static bool HasName(SecurityIdentifier sid)
    {
        try
        {
            _ = sid.Translate(typeof(NTAccount));
            return true;
        }
        catch (IdentityNotMappedException)
        {
            return false;
        }
        catch (SystemException)
        {
            // The server that knows the accounts of a domain may be out of reach.
            return true;
        }
    }

    private static bool IsKnown(string account, Accounts accounts)
    {
        bool isGroup = account[0] == OwnerMap.GroupMark;
        string name = isGroup ? account[1..] : account;
        return uint.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out _)
            || (isGroup ? accounts.FindGroup(name) : accounts.FindUser(name)) is not null;
    }
}
