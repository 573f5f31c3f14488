using System.Collections.Frozen;
using System.Diagnostics;

namespace Restore.Interop;

/// <summary>
/// The programs of the system that Restore uses: where they are, and what they see of the
/// environment.
/// </summary>
internal static class SystemPrograms
{
    // Programs need these to find their files, to write the user's language and to reach the
    // network. Any other variable can be a secret.
    private static readonly FrozenSet<string> Passed = FrozenSet.ToFrozenSet(
        [
            "PATH",
            "HOME",
            "USER",
            "LOGNAME",
            "SHELL",
            "LANG",
            "LANGUAGE",
            "TZ",
            "TMPDIR",
            "TEMP",
            "TMP",
            "LD_LIBRARY_PATH",
            "DYLD_LIBRARY_PATH",
            "GNUPGHOME",
            "SSH_AUTH_SOCK",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "ALL_PROXY",
            "NO_PROXY",
            "SYSTEMROOT",
            "SYSTEMDRIVE",
            "WINDIR",
            "COMSPEC",
            "PATHEXT",
            "PROGRAMDATA",
            "PROGRAMFILES",
            "USERPROFILE",
            "USERNAME",
            "APPDATA",
            "LOCALAPPDATA",
            "HOMEDRIVE",
            "HOMEPATH",
        ],
        StringComparer.OrdinalIgnoreCase
    );

    private static readonly string[] PassedPrefixes = ["LC_", "XDG_"];

    /// <summary>A relative folder would depend on where Restore was started.</summary>
    public static IEnumerable<string> Folders(string? searchPath) =>
        (searchPath ?? "").Split(Path.PathSeparator).Where(Path.IsPathFullyQualified);

    /// <summary>Null if it is not found. A name with a folder in it is not searched for.</summary>
    public static string? Find(string program, string? searchPath = null)
    {
        if (program.Contains('/') || program.Contains(Path.DirectorySeparatorChar))
        {
            return File.Exists(program) ? Path.GetFullPath(program) : null;
        }

        // The system's own search would take a program from the current folder first on Windows,
        // and from relative folders elsewhere.
        string[] names = OperatingSystem.IsWindows() ? [program + ".exe", program] : [program];
        return Folders(searchPath ?? Environment.GetEnvironmentVariable("PATH"))
            .SelectMany(folder => names.Select(name => Path.Combine(folder, name)))
            .FirstOrDefault(File.Exists);
    }

    /// <summary>
    /// Redirects all three streams, and passes no variables that the program does not need. Every
    /// user of the machine can see the arguments, so they have no secrets.
    /// </summary>
    public static ProcessStartInfo StartInfo(
        string path,
        IEnumerable<string> arguments,
        Func<string, bool>? alsoPassed = null
    )
    {
        var start = new ProcessStartInfo(path, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
            CreateNoWindow = true,
        };
        foreach (
            string name in start
                .Environment.Keys.Where(name => !IsPassed(name) && alsoPassed?.Invoke(name) != true)
                .ToList()
        )
        {
            start.Environment.Remove(name);
        }

        return start;
    }

    /// <summary>The same, with exactly these variables.</summary>
    public static ProcessStartInfo StartInfo(
        string path,
        IEnumerable<string> arguments,
        IEnumerable<KeyValuePair<string, string>> environment
    )
    {
        ProcessStartInfo start = StartInfo(path, arguments);
        start.Environment.Clear();
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        return start;
    }

    /// <summary>
    /// The same program as the leader of a process group, so that all that it starts can be ended
    /// with it; the same where no program makes one. Not for programs that use the terminal.
    /// </summary>
    public static ProcessStartInfo InOwnGroup(ProcessStartInfo start, out bool isLeader)
    {
        string? maker = OperatingSystem.IsLinux() && IsExecutable(start.FileName) ? Find("setsid") : null;
        isLeader = maker is not null;
        if (maker is not null)
        {
            start.ArgumentList.Insert(0, start.FileName);
            start.FileName = maker;
        }

        return start;
    }

    /// <summary>The maker of groups cannot say why a program does not start.</summary>
    private static bool IsExecutable(string path) =>
        !OperatingSystem.IsWindows()
        && File.Exists(path)
        && (File.GetUnixFileMode(path) & UnixFileMode.UserExecute) != 0;

    private static bool IsPassed(string name) =>
        Passed.Contains(name)
        || PassedPrefixes.Any(prefix => name.StartsWith(prefix, StringComparison.OrdinalIgnoreCase));
}
