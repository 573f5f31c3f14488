using System.Collections.Frozen;
using System.Diagnostics;

#if RESTORE_CLI
namespace Restore.Cli.Interop;
#else
namespace Restore.Interop;
#endif

/// <summary>The programs of the system that Restore uses: where they are, and what they see of the environment.</summary>
internal static class SystemPrograms
{
    // Programs need these to find their files, to write the user's language and to reach the network. Any other variable can be a secret.
    private static readonly FrozenSet<string> Passed = FrozenSet.ToFrozenSet(
        [
            "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
            "GNUPGHOME", "SSH_AUTH_SOCK", "SSL_CERT_FILE", "SSL_CERT_DIR",
            "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
            "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES", "USERPROFILE", "USERNAME", "APPDATA", "LOCALAPPDATA",
            "HOMEDRIVE", "HOMEPATH",
        ],
        StringComparer.OrdinalIgnoreCase);

    private static readonly string[] PassedPrefixes = ["LC_", "XDG_"];

    /// <summary>The folders in which programs are looked for. A relative one would be a folder that depends on where Restore was started.</summary>
    /// <param name="searchPath">The value of PATH.</param>
    public static IEnumerable<string> Folders(string? searchPath) => (searchPath ?? "").Split(Path.PathSeparator).Where(Path.IsPathFullyQualified);

    /// <summary>The full path of a program; null if it is not found. A name with a folder in it is not searched for.</summary>
    /// <param name="program">Its name, or its path.</param>
    /// <param name="searchPath">The value of PATH; null takes it from the environment.</param>
    public static string? Find(string program, string? searchPath = null)
    {
        if (program.Contains('/') || program.Contains(Path.DirectorySeparatorChar))
        {
            return File.Exists(program) ? Path.GetFullPath(program) : null;
        }

        // The system's own search would take a program from the current folder first on Windows, and from relative folders elsewhere.
        string[] names = OperatingSystem.IsWindows() ? [program + ".exe", program] : [program];
        return Folders(searchPath ?? Environment.GetEnvironmentVariable("PATH"))
            .SelectMany(folder => names.Select(name => Path.Combine(folder, name)))
            .FirstOrDefault(File.Exists);
    }

    /// <summary>How to start a program: with all three streams redirected, and without the variables that it does not need.</summary>
    /// <param name="path">Its full path.</param>
    /// <param name="arguments">Free of secrets: every user of the machine can see them.</param>
    /// <param name="alsoPassed">Which further variables it gets.</param>
    public static ProcessStartInfo StartInfo(string path, IEnumerable<string> arguments, Func<string, bool>? alsoPassed = null)
    {
        var start = new ProcessStartInfo(path, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
            CreateNoWindow = true,
        };
        foreach (string name in start.Environment.Keys.Where(name => !IsPassed(name) && alsoPassed?.Invoke(name) != true).ToList())
        {
            start.Environment.Remove(name);
        }

        return start;
    }

    /// <summary>The same, with an environment that has these variables and no others.</summary>
    public static ProcessStartInfo StartInfo(string path, IEnumerable<string> arguments, IEnumerable<KeyValuePair<string, string>> environment)
    {
        ProcessStartInfo start = StartInfo(path, arguments);
        start.Environment.Clear();
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        return start;
    }

    private static bool IsPassed(string name) =>
        Passed.Contains(name) || PassedPrefixes.Any(prefix => name.StartsWith(prefix, StringComparison.OrdinalIgnoreCase));
}
