using Restore.Cli;
using Restore.Tests.Cli;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support;
using Restore.Tests.Writing;

namespace Restore.Tests.Reported;

/// <summary>
/// Sound volumes under names that stores, clouds, sync programs and users have changed.
/// </summary>
public sealed class ChangedVolumeTests
{
    private const string Passphrase = "correct horse";

    [Theory]
    [InlineData("upper")]
    [InlineData("lower")]
    [InlineData("mixed")]
    [InlineData("end")]
    public async Task Names_in_other_letters_are_read(string how)
    {
        using RoundTrip trip = await MadeAsync();
        int number = 0;
        Rename(
            trip,
            name =>
                how switch
                {
                    "upper" => name.ToUpperInvariant(),
                    "lower" => name.ToLowerInvariant(),
                    "mixed" => number++ % 2 == 0 ? name.ToUpperInvariant() : name,
                    _ => Path.ChangeExtension(name, ".AES"),
                }
        );

        trip.AssertLikeSource(await trip.RestoreAsync(passphrase: Passphrase));
    }

    [Fact]
    public async Task Copies_are_read_where_the_volumes_are_not_there()
    {
        using RoundTrip trip = await MadeAsync();
        Rename(trip, name => $"{Path.GetFileNameWithoutExtension(name)} (1).aes");

        trip.AssertLikeSource(await trip.RestoreAsync(passphrase: Passphrase, warns: true));
    }

    [Theory]
    [InlineData("dlist")]
    [InlineData("dblock")]
    public async Task A_copy_is_read_instead_of_a_volume_that_is_damaged(string kind)
    {
        using RoundTrip trip = await MadeAsync();
        foreach (string path in Directory.GetFiles(trip.Destination))
        {
            File.Copy(path, Path.Join(trip.Destination, "Copy of " + Path.GetFileName(path)));
            File.WriteAllText(Path.Join(trip.Destination, "._" + Path.GetFileName(path)), "fork");
        }

        string damaged = trip.VolumesOf(kind)
            .First(path => Path.GetFileName(path).StartsWith("duplicati-", StringComparison.Ordinal));
        byte[] bytes = await File.ReadAllBytesAsync(damaged);
        bytes.AsSpan(bytes.Length / 4, bytes.Length / 2).Clear();
        await File.WriteAllBytesAsync(damaged, bytes);

        trip.AssertLikeSource(await trip.RestoreAsync(passphrase: Passphrase, warns: true));
    }

    [Theory]
    [InlineData("*")]
    [InlineData("*.dblock.*")]
    [InlineData("*.dindex.*")]
    [InlineData("*.dlist.*")]
    public async Task Volumes_that_lost_the_end_of_their_names_are_known_by_their_content(string pattern)
    {
        using RoundTrip trip = await MadeAsync();
        Rename(trip, name => name[..^".aes".Length], pattern);

        trip.AssertLikeSource(await trip.RestoreAsync(passphrase: Passphrase, warns: true));
        CliRun run = await CliRun.OfAsync("verify", trip.Destination, $"--passphrase={Passphrase}");
        Assert.Contains(
            "does not end in .aes",
            run.Output.Replace("do not end", "does not end", StringComparison.Ordinal),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Without_a_passphrase_the_message_is_that_the_backup_is_encrypted()
    {
        using RoundTrip trip = await MadeAsync();
        Rename(trip, name => name[..^".aes".Length]);

        CliRun run = await CliRun.OfAsync("verify", trip.Destination);

        Assert.Equal(ExitCodes.WrongPassphrase, run.ExitCode);
        Assert.Contains("The backup is encrypted and no passphrase was given", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_list_that_is_not_encrypted_is_refused_whatever_its_name_says()
    {
        using RoundTrip trip = await MadeAsync(passphrase: null);
        Rename(trip, name => name + ".aes");

        CliRun refused = await CliRun.OfAsync("verify", trip.Destination, $"--passphrase={Passphrase}");
        Assert.Equal(ExitCodes.Failed, refused.ExitCode);
        Assert.Contains("not encrypted, though its name says so", refused.Error, StringComparison.Ordinal);
        Assert.Contains("--allow-unencrypted", refused.Error, StringComparison.Ordinal);

        CliRun allowed = await CliRun.OfAsync(
            "verify",
            trip.Destination,
            $"--passphrase={Passphrase}",
            "--allow-unencrypted"
        );
        Assert.Equal(ExitCodes.Complete, allowed.ExitCode);
    }

    [Fact]
    public async Task A_placeholder_of_a_cloud_is_to_be_fetched_and_not_renamed()
    {
        using RoundTrip trip = await MadeAsync();
        string block = trip.VolumesOf("dblock").First();
        File.Delete(block);
        await File.WriteAllTextAsync(block + ".cloud", "");

        CliRun run = await CliRun.OfAsync("verify", trip.Destination, $"--passphrase={Passphrase}");

        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Contains(".cloud", run.Output, StringComparison.Ordinal);
        Assert.Contains("make available offline", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("rename", run.Output, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public async Task A_prefix_with_a_folder_leads_into_the_folder()
    {
        using RoundTrip trip = await MadeAsync();

        CliRun run = await CliRun.OfAsync("versions", trip.Folder, "--prefix=backup/duplicati");

        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        CliRun direct = await CliRun.OfAsync("versions", trip.Destination);
        Assert.NotEmpty(direct.Output);
        Assert.Equal(direct.Output, run.Output);
    }

    [Fact]
    public async Task What_is_in_archive_storage_is_named_before_and_after()
    {
        using RoundTrip trip = await MadeAsync();
        ScriptedStore store = ScriptedStore.OfFolder(trip.Destination);
        ScriptedStore frozen = new()
        {
            Listed = store
                .Names.Select(name => new StoredFile(name, store[name].Length)
                {
                    ArchiveTier = name.Contains("dblock", StringComparison.Ordinal) ? "DEEP_ARCHIVE" : null,
                })
                .ToList(),
            BeforeRead = (name, _) =>
                name.Contains("dblock", StringComparison.Ordinal)
                    ? throw new AccessRefusedException($"{name} is in archive storage") { IsArchived = true }
                    : ValueTask.CompletedTask,
        };
        foreach (string name in store.Names)
        {
            frozen[name] = store[name];
        }

        using TempFolder folder = new();
        await using Backup backup = await Backup.OpenAsync(frozen, new BackupOptions { Passphrase = Passphrase });
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], FixtureRestore.Whole(folder.Root));
        RestoreIssue warned = Assert.Single(plan.PlanningIssues, issue => issue.Code == IssueCode.VolumeFrozen);
        Assert.Equal(plan.Volumes.Select(volume => volume.Name).Order(StringComparer.Ordinal), warned.Volumes);
        Assert.All(plan.Volumes, volume => Assert.Equal("DEEP_ARCHIVE", volume.ArchiveTier));

        RestoreReport report = await backup.ExecuteAsync(plan);
        Assert.NotEmpty(report.LostVolumes);
        Assert.All(
            report.LostVolumes,
            volume => Assert.Equal((IssueCode.VolumeFrozen, false), (volume.Code, volume.IsRefused))
        );
    }

    [Fact]
    public async Task A_file_list_in_archive_storage_has_a_code_of_its_own()
    {
        using RoundTrip trip = await MadeAsync();
        ScriptedStore store = ScriptedStore.OfFolder(trip.Destination);
        await using Backup backup = await Backup.OpenAsync(store, new BackupOptions { Passphrase = Passphrase });
        store.BeforeRead = (name, _) =>
            throw new AccessRefusedException($"{name} is in archive storage") { IsArchived = true };

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => backup.Maintenance.CheckAsync());

        Assert.Equal(RestoreErrorCode.FileListFrozen, failure.Code);
    }

    private static async Task<RoundTrip> MadeAsync(string? passphrase = Passphrase)
    {
        RoundTrip trip = new();
        byte[] content = new byte[100_000];
        new Random(1).NextBytes(content);
        await File.WriteAllBytesAsync(Path.Join(trip.Source, "large"), content);
        await File.WriteAllTextAsync(Path.Join(trip.Source, "small.txt"), "hello");
        await trip.WriteAsync(trip.Options with { Passphrase = passphrase, VolumeSizeBytes = 60_000 });
        return trip;
    }

    private static void Rename(RoundTrip trip, Func<string, string> change, string pattern = "*")
    {
        foreach (string path in Directory.GetFiles(trip.Destination, pattern))
        {
            File.Move(path, Path.Join(trip.Destination, change(Path.GetFileName(path))));
        }
    }
}
