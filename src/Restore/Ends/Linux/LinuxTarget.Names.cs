namespace Restore.Ends.Linux;

internal sealed partial class LinuxTarget
{
    public IReadOnlySet<string>? SpellingsIn(string folder)
    {
        TargetPath.Check(folder, orRoot: true);
        using Folder? opened = Find(folder, out _);
        try
        {
            return opened is null
                ? null
                : Directory.EnumerateFileSystemEntries($"/proc/self/fd/{opened.Handle}")
                    .Select(path => Path.GetFileName(path)).ToHashSet(StringComparer.Ordinal);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
