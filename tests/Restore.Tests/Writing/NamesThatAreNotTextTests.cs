using System.Diagnostics;
using Restore.Cli;
using Restore.Interop;
using Restore.Tests.Cli;

namespace Restore.Tests.Writing;

/// <summary>
/// Linux takes any bytes as a name, and a backup has only text: what cannot be held is named, and
/// nothing else comes in its place.
/// </summary>
public sealed class NamesThatAreNotTextTests : IDisposable
{
    private const string NotText = "Its name is not UTF-8 text, which a backup cannot hold; it is not in the backup";

    // What .NET makes of a byte that is no text. Other programs write the sign itself into names.
    private const string Sign = "\uFFFD";

    private readonly RoundTrip trip = new();

    public NamesThatAreNotTextTests() => Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has such names.");

    public void Dispose()
    {
        // .NET cannot even remove what has such a name.
        if (OperatingSystem.IsLinux())
        {
            Shell("rm -rf ./* ../target*");
        }

        trip.Dispose();
    }

    [Fact]
    public async Task An_entry_is_named_and_its_neighbor_keeps_its_own_bytes()
    {
        Shell(
            "printf real >\"$(printf 'file\\377')\"; printf other >\"$(printf 'file\\376')\"; printf alone >\"$(printf 'alone\\377')\"; "
                + "mkdir \"$(printf 'folder\\377')\"; printf lost >\"$(printf 'folder\\377')/lost\""
        );
        File.WriteAllText(In($"file{Sign}"), "neighbor");
        Directory.CreateDirectory(In($"folder{Sign}"));
        File.WriteAllText(In($"folder{Sign}/kept"), "kept");

        BackupWriterReport report = await trip.WriteAsync();
        Assert.Equal(
            [In($"alone{Sign}"), In($"file{Sign}"), In($"file{Sign}"), In($"folder{Sign}")],
            report.Issues.Select(issue => issue.Path).Order(StringComparer.Ordinal)
        );
        Assert.All(report.Issues, issue => Assert.Equal((IssueKind.Missing, NotText), (issue.Kind, issue.Reason)));

        string target = await trip.RestoreAsync();
        Assert.Equal(
            [$"file{Sign}", $"folder{Sign}/kept"],
            Directory
                .GetFiles(target, "*", SearchOption.AllDirectories)
                .Select(file => Path.GetRelativePath(target, file))
                .Order(StringComparer.Ordinal)
        );
        Assert.Equal("neighbor", File.ReadAllText(Path.Join(target, $"file{Sign}")));
    }

    [Fact]
    public async Task A_link_to_such_a_name_is_named()
    {
        File.WriteAllText(In("file"), "x");
        Shell("ln -s \"$(printf 'target\\377')\" link");
        RestoreIssue issue = Assert.Single((await trip.WriteAsync()).Issues);
        Assert.Equal((IssueKind.Missing, In("link")), (issue.Kind, issue.Path));
        Assert.Contains("leads to a name that is not UTF-8 text", issue.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_extended_attribute_with_such_a_name_is_named()
    {
        File.WriteAllText(In("file"), "x");
        using (FileStream file = File.OpenWrite(In("file")))
        {
            int result = Kernel.SetAttribute(
                (int)file.SafeFileHandle.DangerousGetHandle(),
                [.. "user.n"u8, 0xFF, 0],
                "value"u8
            );
            Assert.SkipUnless(result >= 0, "This file system has no extended attributes.");
        }

        RestoreIssue issue = Assert.Single((await trip.WriteAsync()).Issues);
        Assert.Equal((IssueKind.Warning, In("file")), (issue.Kind, issue.Path));
        Assert.StartsWith(
            "An extended attribute has a name that is not UTF-8 text",
            issue.Reason,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_source_with_such_a_name_is_refused()
    {
        string source = Directory.CreateDirectory(In($"source{Sign}")).FullName;
        CliRun run = await CliRun.OfAsync("backup", source, trip.Destination, "--no-encryption");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains("is not in UTF-8, so it cannot be named here", run.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(trip.Destination));
    }

    [Fact]
    public async Task At_the_target_they_are_compared_and_stay()
    {
        File.WriteAllText(In("file"), "x");
        File.WriteAllText(In($"twin{Sign}"), "x");
        await trip.WriteAsync();
        string target = await trip.RestoreAsync();
        Shell(
            $"cd '{target}' && touch \"$(printf 'extra\\377')\" && mkdir \"$(printf 'folder\\377')\" && touch \"$(printf 'twin\\377')\""
        );

        CliRun diff = await CliRun.OfAsync("diff", trip.Destination, "0", "--target", target);
        Assert.Contains($" extra{Sign}\n", diff.Output, StringComparison.Ordinal);
        Assert.Contains("3 added", diff.Output, StringComparison.Ordinal);

        CliRun run = await CliRun.OfAsync(trip.Destination, "-t", target, "--overwrite", "--delete", "--yes");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Contains("but 3 stay\n", run.Error, StringComparison.Ordinal);
        Assert.Contains("Its name is not text, so it stays", run.Output, StringComparison.Ordinal);
        Assert.Equal(5, Directory.GetFileSystemEntries(target).Length);
    }

    [Fact]
    public void A_working_folder_with_such_a_name_is_refused()
    {
        string words = string.Join(
            ' ',
            ProgramRun.CommandOf("backup", "source", trip.Destination, "--no-encryption").Select(word => $"'{word}'")
        );
        Shell(
            $"mkdir -p 'folder{Sign}/source' \"$(printf 'folder\\377')/source\"; cd \"$(printf 'folder\\377')\"; {words} 2> ../said; echo $? >> ../said"
        );
        string[] said = File.ReadAllLines(In("said"));
        Assert.StartsWith("The working folder", said[0], StringComparison.Ordinal);
        Assert.Equal($"{ExitCodes.Usage}", said[^1]);
        Assert.False(Directory.Exists(trip.Destination));
    }

    [Fact]
    public async Task A_passphrase_that_is_not_text_is_refused_in_a_file_and_for_a_new_backup()
    {
        string file = Path.Join(trip.Folder, "key");
        File.WriteAllText(In("file"), "x");
        File.WriteAllBytes(file, [(byte)'c', 0xE9]);
        CliRun run = await CliRun.OfAsync("backup", trip.Source, trip.Destination, $"--passphrase-file={file}");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains("the passphrase is not UTF-8 text", run.Error, StringComparison.Ordinal);

        // From a variable or a program, such a passphrase comes with the sign.
        File.WriteAllText(file, "other");
        Assert.Equal(
            ExitCodes.Complete,
            (await CliRun.OfAsync("backup", trip.Source, trip.Destination, $"--passphrase-file={file}")).ExitCode
        );
        RestoreException other = await Assert.ThrowsAsync<RestoreException>(() =>
            trip.WriteAsync(trip.Options with { Passphrase = $"c{Sign}" })
        );
        Assert.Equal(RestoreErrorCode.DestinationPassphraseWrong, other.Code);
    }

    private string In(string name) => Path.Join(trip.Source, name);

    private void Shell(string command)
    {
        using Process shell = Process.Start(
            new ProcessStartInfo("/bin/sh", ["-c", command]) { WorkingDirectory = trip.Source }
        )!;
        shell.WaitForExit();
        Assert.Equal(0, shell.ExitCode);
    }
}
