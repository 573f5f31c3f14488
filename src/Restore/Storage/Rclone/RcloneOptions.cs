namespace Restore.Storage.Rclone;

/// <summary>The options of all stores that rclone reaches.</summary>
internal static class RcloneOptions
{
    public static readonly StoreOption Executable = new("rclone-executable", "the rclone program") { Default = "`rclone` on the search path" };

    // rclone says nothing until it has the whole folder, which from a slow server takes minutes; the same default and option as Duplicati's.
    public static readonly StoreOption ListTimeout =
        new("list-operation-timeout", "how long a listing may take") { Kind = StoreOptionKind.Duration, Default = "10m" };

    public static readonly IReadOnlyList<StoreOption> All = [Executable, ListTimeout];
}
