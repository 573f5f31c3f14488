namespace Restore.Cli.Options;

/// <summary>Options that this program does not declare itself: those of the stores, as the stores declare them, and those that only Duplicati has.</summary>
internal static class ForeignOptions
{
    // Matches parts of names, so that an unknown name (the token of a future service) counts as a secret too.
    private static readonly string[] SecretParts = ["password", "passphrase", "secret", "token", "authid", "access-key", "access_key", "ssh-key"];

    public static bool IsStoreOption(string name) => HostStores.Registry.FindOption(name) is not null;

    /// <summary>Whether a job may give an option of a store. What names a program, or says what it may know, comes only from the user.</summary>
    public static bool IsFromJob(string name) => IsStoreOption(name) && !name.EndsWith("-executable", StringComparison.Ordinal) && name != "rclone-variables";

    public static bool IsStoreFlag(string name) => HostStores.Registry.FindOption(name) is { Kind: StoreOptionKind.Switch };

    public static bool IsSecret(string name) =>
        HostStores.Registry.FindOption(name) is { IsSecret: true } || SecretParts.Any(part => name.Contains(part, StringComparison.OrdinalIgnoreCase));

    /// <summary>Whether an option of a store here or in Duplicati has no effect, and whether it takes a value; null if it is none of these.</summary>
    public static bool? TakesValueInVain(string name) =>
        DuplicatiOptions.Find(name) is { Group.IsRefused: false } found ? found.TakesValue : HostStores.Registry.IsIgnored(name) ? false : null;

    /// <summary>Why an option of Duplicati is refused, and whether it takes a value; null if it is not refused.</summary>
    public static (string Reason, bool TakesValue)? Refused(string name) =>
        DuplicatiOptions.Find(name) is { Group.IsRefused: true } found ? (found.Group.Reason, found.TakesValue) : null;
}
