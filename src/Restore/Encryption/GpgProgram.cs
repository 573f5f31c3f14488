using System.Diagnostics;
using Restore.Interop;

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

    /// <summary>Finds the program: the named one, else gpg2 or gpg on the search path (null: the one of the environment).</summary>
    /// <exception cref="RestoreException">There is none.</exception>
    public static string Find(string? namedPath, string? searchPath)
    {
        if (namedPath is not null)
        {
            return File.Exists(namedPath)
                ? Path.GetFullPath(namedPath)
                : throw new RestoreException(RestoreErrorCode.GpgMissing, "There is no gpg program at the given path", namedPath);
        }

        return SystemPrograms.Find("gpg2", searchPath) ?? SystemPrograms.Find("gpg", searchPath)
            ?? throw new RestoreException(
                RestoreErrorCode.GpgMissing, "The backup is encrypted with GnuPG, and there is no gpg program on the search path");
    }

    /// <summary>Starts a decryption. Input: passphrase line and message. Output: the text. Error stream: status lines.</summary>
    /// <exception cref="RestoreException">gpg cannot be started.</exception>
    public static ChildProcess StartDecryption(string program)
    {
        ProcessStartInfo start = SystemPrograms.StartInfo(program, Arguments);
        start.Environment["LC_ALL"] = "C";
        try
        {
            return new ChildProcess(start, readsErrors: false);
        }
        catch (RestoreException failure)
        {
            throw new RestoreException(RestoreErrorCode.GpgUnusable, $"gpg cannot be started: {failure.InnerException!.Reason()}", program, failure);
        }
    }
}
