using System.Text;
using Restore.Cli.Interop;

namespace Restore.Cli;

/// <summary>A file that another program may read at any time: it has the old content or the new one, never a part.</summary>
internal static class OutputFile
{
    /// <summary>Checks what can be known before the run.</summary>
    /// <exception cref="UsageException">The file cannot be written there.</exception>
    public static void Check(string option, string path)
    {
        var full = path.Length == 0 ? throw new UsageException($"{option}: the name of the file is missing") : Path.GetFullPath(path);
        var problem = Path.EndsInDirectorySeparator(full) || Directory.Exists(full) ? "is a folder"
            : !Directory.Exists(Path.GetDirectoryName(full)) ? "cannot be written: its folder does not exist"
            : full.StartsWith("/dev/", StringComparison.Ordinal) ? "is a device, not a file"
            : null;
        if (problem is not null)
        {
            throw new UsageException($"{option}: {path} {problem}");
        }
    }

    /// <summary>Writes a file as a whole. It is for this user alone if it is private: a report tells what is in a backup.</summary>
    /// <exception cref="IOException">The file cannot be written; an old one is as it was.</exception>
    /// <exception cref="UnauthorizedAccessException">The same, for want of rights.</exception>
    public static void Write(string path, Action<TextWriter> write, bool isPrivate = true)
    {
        using AtomicFile file = new(path, AtomicFileOptions.Replaces | (isPrivate ? AtomicFileOptions.Private : AtomicFileOptions.None));
        using (var text = new StreamWriter(file.Stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { NewLine = "\n" })
        {
            write(text);
        }

        file.Commit();
    }
}

/// <summary>Paths of this machine, compared by their names.</summary>
internal static class FolderPath
{
    /// <summary>Whether a path is a folder, or in it.</summary>
    public static bool IsInside(string path, string folder)
    {
        var relative = Path.GetRelativePath(Path.GetFullPath(folder), Path.GetFullPath(path));
        return relative != ".." && !relative.StartsWith(".." + Path.DirectorySeparatorChar, StringComparison.Ordinal) && !Path.IsPathRooted(relative);
    }
}
