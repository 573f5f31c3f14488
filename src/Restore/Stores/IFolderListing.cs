namespace Restore.Stores;

/// <summary>
/// An <see cref="IVolumeStore"/> that also sees the folders among the files that it lists.
/// Optional: with it, an error can name the folder that has a backup.
/// </summary>
public interface IFolderListing
{
    /// <summary>
    /// The names of folders in the folder, as far as the last listing came by them; a few dozen at
    /// most.
    /// </summary>
    IReadOnlyCollection<string> ListedFolders { get; }
}
