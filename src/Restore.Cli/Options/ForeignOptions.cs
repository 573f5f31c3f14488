using Restore.Cli.Interop;

namespace Restore.Cli.Options;

/// <summary>
/// Options that this program does not declare itself: options of stores, which the stores declare,
/// and options that only Duplicati has.
/// </summary>
internal static class ForeignOptions
{
    // Matches parts of names, so that an unknown name (the token of a future service) counts as a
    // secret too.
    private static readonly string[] SecretParts =
    [
        "password",
        "passphrase",
        "secret",
        "token",
        "authid",
        "access-key",
        "access_key",
        "ssh-key",
    ];

    public static bool IsStoreOption(string name) => HostStores.Registry.FindOption(name) is not null;

    /// <summary>
    /// Whether a job may give an option of a store. What names a program, or says what it may know,
    /// comes only from the user.
    /// </summary>
    public static bool IsFromJob(string name) =>
        IsStoreOption(name) && !name.EndsWith("-executable", StringComparison.Ordinal) && name != "rclone-variables";

    public static bool IsStoreFlag(string name) =>
        HostStores.Registry.FindOption(name) is { Kind: StoreOptionKind.Switch };

    public static bool IsSecret(string name) =>
        HostStores.Registry.FindOption(name) is { IsSecret: true }
        || SecretParts.Any(part => name.Contains(part, StringComparison.OrdinalIgnoreCase));

    /// <summary>
    /// An option of Duplicati that would change the result of a command is refused, unless its
    /// value turns it off.
    /// </summary>
    public static void Judge(
        string command,
        IEnumerable<(string Name, string? Value)> given,
        List<string> errors,
        List<string> withoutEffect
    )
    {
        foreach (var (name, value) in given)
        {
            if (DuplicatiOptions.Refusal(command, name, value) is { } refusal)
            {
                errors.Add(refusal);
            }
            else if (name == Awake.Option && Awake.IsKnown)
            {
                // It has its effect: see CliApplication.
            }
            else
            {
                withoutEffect.Add(
                    DuplicatiOptions.Find(name)?.Group.IsRefusedBy(command) == true ? $"--{name}={value}" : $"--{name}"
                );
            }
        }
    }

    /// <summary>
    /// Whether an option that only Duplicati or an unsupported store has takes a value. Null for
    /// any other option.
    /// </summary>
    public static bool? TakesValue(string name) =>
        DuplicatiOptions.Find(name)?.TakesValue ?? (HostStores.Registry.IsIgnored(name) ? false : null);
}
