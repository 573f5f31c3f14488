using System.ComponentModel;
using System.Diagnostics;

namespace Restore.Encryption;

/// <summary>The gpg program: where it is, and how it is started.</summary>
internal static class GpgProgram
{
    private static readonly string[] Arguments =
    [
        "--batch", "--no-tty", "--quiet",

        // Decryption must not depend on a user's gpg.conf, which could turn the integrity check off. Without options gpg creates no home folder.
        "--no-options",

        // Without loopback, gpg since 2.1 asks its agent for the passphrase instead of the file descriptor.
        "--pinentry-mode", "loopback", "--passphrase-fd", "0",
        "--status-fd", "2",
        "--decrypt",
    ];

    /// <summary>Finds the program: the named one, else gpg2 or gpg on the search path.</summary>
    /// <exception cref="RestoreException">There is none.</exception>
    public static string Find(string? namedPath, string? searchPath)
    {
        if (namedPath is not null)
        {
            return File.Exists(namedPath)
                ? Path.GetFullPath(namedPath)
                : throw new RestoreException(RestoreErrorCode.GpgMissing, "There is no gpg program at the given path", namedPath);
        }

        // The search is here because the system's own search would take a gpg from the current folder first;
        // relative folders of the search path are left out for the same reason.
        string suffix = OperatingSystem.IsWindows() ? ".exe" : "";
        string[] folders = (searchPath ?? "").Split(Path.PathSeparator).Where(Path.IsPathFullyQualified).ToArray();
        string[] names = ["gpg2" + suffix, "gpg" + suffix];
        return names.SelectMany(name => folders, (name, folder) => Path.Combine(folder, name)).FirstOrDefault(File.Exists)
            ?? throw new RestoreException(
                RestoreErrorCode.GpgMissing, "The backup is encrypted with GnuPG, and there is no gpg program on the search path");
    }

    /// <summary>Starts a decryption. Input: passphrase line and message. Output: the text. Error stream: status lines.</summary>
    /// <exception cref="RestoreException">gpg cannot be started.</exception>
    public static Process StartDecryption(string program)
    {
        var start = new ProcessStartInfo(program, Arguments)
        {
            UseShellExecute = false,
            CreateNoWindow = true,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };

        // gpg gets the passphrase on its input and has no use for the variable that Restore may have read it from.
        start.Environment.Remove("PASSPHRASE");
        start.Environment["LC_ALL"] = "C";
        try
        {
            return Process.Start(start) ?? throw new RestoreException(RestoreErrorCode.GpgUnusable, "gpg did not start", program);
        }
        catch (Win32Exception e)
        {
            throw new RestoreException(RestoreErrorCode.GpgUnusable, $"gpg cannot be started: {e.Reason()}", program, e);
        }
    }
}
