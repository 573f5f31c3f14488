using Restore.Interop;

namespace Restore.Cli;

/// <summary>
/// A file that another program may read at any time: it has the old content or the new one, never a
/// part.
/// </summary>
internal static class OutputFile
{
    private static readonly string[] VolumeKinds = [".dblock.", ".dindex.", ".dlist."];

    /// <summary>
    /// Refuses to write into a volume, wherever it is: where the backup is may be known only later,
    /// from a plan.
    /// </summary>
    public static void RefuseVolume(string option, string path)
    {
        var name = Path.GetFileName(path);
        if (VolumeKinds.Any(kind => name.Contains(kind, StringComparison.OrdinalIgnoreCase)))
        {
            throw new UsageException($"{option}: {path} has the name of a volume of a backup; give another name");
        }
    }

    public static void Check(string option, string path)
    {
        RefuseVolume(option, path);
        var full = Path.GetFullPath(path);
        var problem =
            Path.EndsInDirectorySeparator(full) || Directory.Exists(full) ? "is a folder"
            : !Directory.Exists(Path.GetDirectoryName(full)) ? "cannot be written: its folder does not exist"
            : full.StartsWith("/dev/", StringComparison.Ordinal) ? "is a device, not a file"
            : SpecialFile.IsAt(full) ? "is a pipe, a socket or a device, not a file"
            : null;
        if (problem is not null)
        {
            throw new UsageException($"{option}: {path} {problem}");
        }
    }

    /// <summary>
    /// It is for this user alone if it is private: a report shows what is in a backup. If writing
    /// fails, an old file stays as it was.
    /// </summary>
    public static void Write(string path, Action<TextWriter> write, bool isPrivate = true)
    {
        using AtomicFile file = new(
            path,
            AtomicFileOptions.Replaces | (isPrivate ? AtomicFileOptions.Private : AtomicFileOptions.None)
        );
        using (
            var text = new StreamWriter(file.Stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false))
            {
                NewLine = "\n",
            }
        )
        {
            write(text);
        }

        file.Commit();
    }
}
