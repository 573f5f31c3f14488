namespace Restore.Storage.Rclone;

internal static class RcloneOptions
{
    public static readonly StoreOption Executable = new("rclone-executable", "the rclone program")
    {
        Default = "`rclone` on the search path",
    };

    // Remotes can take credentials from the environment (AWS_ACCESS_KEY_ID); a program gets no
    // variable that it does not need.
    public static readonly StoreOption Variables = new(
        "rclone-variables",
        "environment variables that rclone gets, separated by commas"
    )
    {
        Default = "those that begin with `RCLONE_`",
    };

    // rclone prints nothing until it has the whole folder, which takes minutes on a slow server.
    // Default and option are Duplicati's.
    public static readonly StoreOption ListTimeout = new(
        "list-operation-timeout",
        "how long rclone may take to print a listing, if neither this nor `read-write-timeout` is given"
    )
    {
        Kind = StoreOptionKind.Duration,
        Default = "10m",
    };

    public static readonly IReadOnlyList<StoreOption> All = [Executable, Variables, ListTimeout];
}
