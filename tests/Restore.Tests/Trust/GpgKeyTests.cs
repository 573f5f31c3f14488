using System.Diagnostics;
using Restore.Cli;
using Restore.Encryption;
using Restore.Tests.Cli;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Trust;

/// <summary>
/// A file list that is encrypted to the user's public key, which anyone can have, in a backup with
/// a passphrase.
/// </summary>
[NeedsGpg]
public sealed class GpgKeyTests : IDisposable
{
    private const string Passphrase = "correct horse";
    private const string Unattended = "--batch --quiet --pinentry-mode loopback --trust-model always --passphrase";

    private readonly MadeBackup backup = new();
    private readonly TempFolder folder = new();
    private readonly string home;
    private readonly string gpg;

    public GpgKeyTests()
    {
        home = Directory.CreateDirectory(Path.Combine(folder.Path, "home")).FullName;
        gpg = Path.Combine(folder.Path, "gpg");
        File.WriteAllText(
            gpg,
            $"#!/bin/sh\nGNUPGHOME={home} exec {GpgProgram.Find(null, Environment.GetEnvironmentVariable("PATH"))} \"$@\"\n"
        );
        Run("chmod", "700", gpg, home);
    }

    [Fact]
    public async Task A_list_that_is_encrypted_to_a_key_is_read_only_if_keys_are_allowed()
    {
        backup.File("/data/file", [1, 2, 3], MadeBackup.Metadata());
        backup.Write();
        Gpg("", "--quick-generate-key", "ann", "default", "default", "never");
        foreach (string volume in Directory.GetFiles(backup.Source))
        {
            string[] how = volume.Contains("dlist", StringComparison.Ordinal)
                ? ["--recipient", "ann", "--encrypt"]
                : ["--symmetric"];
            Gpg(Passphrase, [.. how, volume]);
            File.Delete(volume);
        }

        string[] command =
        [
            backup.Source,
            $"--passphrase={Passphrase}",
            $"--gpg-program-path={gpg}",
            $"--restore-path={backup.Target}",
        ];
        CliRun refused = await CliRun.OfAsync(command);
        Assert.Equal(ExitCodes.Failed, refused.ExitCode);
        Assert.Contains("encrypted to a key", refused.Error, StringComparison.Ordinal);
        Assert.Contains("--allow-gpg-keys", refused.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(backup.At("file")));

        CliRun allowed = await CliRun.OfAsync([.. command, "--allow-gpg-keys"]);
        Assert.True(allowed.ExitCode == ExitCodes.Complete, allowed.Error + allowed.Output);
        Assert.Equal([1, 2, 3], await File.ReadAllBytesAsync(backup.At("file"), TestContext.Current.CancellationToken));
    }

    public void Dispose()
    {
        Run("gpgconf", "--homedir", home, "--kill", "gpg-agent");
        backup.Dispose();
        folder.Dispose();
    }

    private void Gpg(string passphrase, params string[] arguments) =>
        Run(gpg, [.. Unattended.Split(' '), passphrase, .. arguments]);

    private static void Run(string program, params string[] arguments)
    {
        ProcessStartInfo start = new(program, arguments) { RedirectStandardInput = true };
        using Process process = Process.Start(start)!;
        try
        {
            process.StandardInput.Close();
            Assert.True(process.WaitForExit(TimeSpan.FromSeconds(60)));
            Assert.Equal(0, process.ExitCode);
        }
        finally
        {
            process.Kill(entireProcessTree: true);
        }
    }
}
