using System.Runtime.InteropServices;

namespace Restore.Cli;

/// <summary>
/// On Linux, .NET takes hashes and ciphers from OpenSSL, and ends the process without an exception
/// if OpenSSL is missing. So this looks for the library first, by the names that .NET uses.
/// </summary>
internal static class OpenSslCheck
{
    private const string Override = "CLR_OPENSSL_VERSION_OVERRIDE";
    private const string NotFound = "No such file";

    private static readonly string[] Versions = ["3", "1.1", "1.0.2", "1.0.0", "10"];

    public static void Require(Func<string, string?> variable)
    {
        if (OperatingSystem.IsLinux() && Problem(variable, Load) is { } problem)
        {
            throw problem;
        }
    }

    /// <param name="variable">The environment.</param>
    /// <param name="load">Loads a library; null if that succeeded, else the words of the loader.
    /// </param>
    /// <returns>Null if a usable version is installed.</returns>
    public static CommandException? Problem(Func<string, string?> variable, Func<string, string?> load)
    {
        string[] versions = variable(Override) is { Length: > 0 } given ? [given, .. Versions] : Versions;
        string? reason = null;
        foreach (string version in versions)
        {
            if (load($"libssl.so.{version}") is not { } said)
            {
                return null;
            }

            // A library that is there and does not load is another problem than one that is missing.
            reason ??= said.Contains(NotFound, StringComparison.OrdinalIgnoreCase) ? null : said;
        }

        return reason is null
            ? new CommandException(
                ExitCodes.Failed,
                "OpenSSL is missing: neither libssl.so.3 nor libssl.so.1.1 can be loaded, and hashes and decryption need it",
                "Install it (Debian 13 and Ubuntu 24.04: apt install libssl3t64; Debian 12 and Ubuntu 22.04: apt install libssl3; Fedora: dnf install "
                    + "openssl-libs; Alpine: apk add libssl3), and run the same command again"
            )
            : new CommandException(
                ExitCodes.Failed,
                $"OpenSSL is there and cannot be loaded, and hashes and decryption need it: {reason}",
                "Look for a limit of memory (ulimit -v), and at the rights and the kind of the library; then run the same command again"
            );
    }

    private static string? Load(string name)
    {
        try
        {
            _ = NativeLibrary.Load(name);
            return null;
        }
        catch (Exception failure) when (failure is DllNotFoundException or BadImageFormatException)
        {
            // .NET explains first; the last line has the words of the loader.
            return failure.Message.TrimEnd().Split('\n')[^1];
        }
    }
}
