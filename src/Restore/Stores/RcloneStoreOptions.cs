using Restore.Storage.Rclone;

namespace Restore.Stores;

/// <summary>
/// Options of a store that the program rclone reaches, for
/// <see cref="BackupOptions.StoreOptions"/>.
/// </summary>
public class RcloneStoreOptions : StoreOptionSet
{
    /// <summary>The rclone program; by default <c>rclone</c> on the search path.</summary>
    public string? Executable
    {
        get;
        init => Set(RcloneOptions.Executable, field = value);
    }

    /// <summary>
    /// Names of environment variables that rclone gets, separated by commas; by default the
    /// variables that begin with <c>RCLONE_</c>.
    /// </summary>
    public string? Variables
    {
        get;
        init => Set(RcloneOptions.Variables, field = value);
    }

    /// <summary>
    /// How long rclone may take to print a listing; ten minutes by default, if
    /// <see cref="StoreOptionSet.ProgressTimeout"/> is not set.
    /// </summary>
    public TimeSpan? ListTimeout
    {
        get;
        init => Set(RcloneOptions.ListTimeout, field = value);
    }
}
