using System.Runtime.InteropServices;

namespace Restore.Cli;

/// <summary>
/// On Linux, .NET takes hashes and ciphers from OpenSSL, and ends the process without an exception
/// if OpenSSL is missing. So this looks for the library first, by the names that .NET uses.
/// </summary>
internal static class OpenSslCheck
{
    private const string Override = "CLR_OPENSSL_VERSION_OVERRIDE";

    private static readonly string[] Versions = ["3", "1.1", "1.0.2", "1.0.0", "10"];

    public static void Require(Func<string, string?> variable)
    {
        if (OperatingSystem.IsLinux() && Problem(variable, name => NativeLibrary.TryLoad(name, out _)) is { } problem)
        {
            throw problem;
        }
    }

    /// <param name="variable">The environment.</param>
    /// <param name="load">Whether a library can be loaded.</param>
    /// <returns>Null if a usable version is installed.</returns>
    public static CommandException? Problem(Func<string, string?> variable, Func<string, bool> load)
    {
        string[] versions = variable(Override) is { Length: > 0 } given ? [given, .. Versions] : Versions;
        return versions.Any(version => load($"libssl.so.{version}"))
            ? null
            : new CommandException(
                ExitCodes.Failed,
                "OpenSSL is missing: neither libssl.so.3 nor libssl.so.1.1 can be loaded, and hashes and decryption need it",
                "Install it (Debian 13 and Ubuntu 24.04: apt install libssl3t64; Debian 12 and Ubuntu 22.04: apt install libssl3; Fedora: dnf install "
                    + "openssl-libs; Alpine: apk add libssl3), and run the same command again"
            );
    }
}
