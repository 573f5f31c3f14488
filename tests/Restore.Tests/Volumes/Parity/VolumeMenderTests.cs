using System.Diagnostics;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Volumes.Parity;

/// <summary>
/// Backups of Duplicati with parity files beside their volumes, as Duplicati makes them, and with
/// damage.
/// </summary>
[NeedsPrograms(".ci/install-packages", "par2")]
public sealed class VolumeMenderTests : IDisposable
{
    private readonly TempFolder folder = new();

    private string Store => Path.Combine(folder.Path, "backup");

    private string Cache => Path.Combine(folder.Path, "cache");

    [Theory]
    [InlineData("plain-1mb", false)]
    [InlineData("aes-100kb", false)]
    [InlineData("aes-100kb", true)]
    public async Task A_damaged_volume_is_repaired_and_nothing_is_lost(string name, bool legacy)
    {
        FixtureBackup fixture = await CopyAsync(name);
        string volume = Largest("*.dblock*");
        await ProtectAsync(volume, 10);
        Damage(volume);
        RestoreReport report = await RestoreAsync(fixture, legacy);
        AssertWhole(fixture, report);
        Assert.Contains(
            report.Issues,
            issue =>
                issue.Path == Path.GetFileName(volume)
                && issue.Reason == "The volume is damaged; it was repaired with its parity file, for this run only"
        );
        Assert.Empty(Directory.GetDirectories(Cache, "restore-parity-*"));
    }

    [Theory]
    [InlineData("plain-1mb")]
    [InlineData("blocklists-1kb")]
    public async Task A_missing_volume_is_rebuilt_from_a_parity_file_as_large_as_itself(string name)
    {
        FixtureBackup fixture = await CopyAsync(name);
        string[] volumes = Directory.GetFiles(Store, "*.dblock*");
        foreach (string volume in volumes)
        {
            await ProtectAsync(volume, 100);
            File.Delete(volume);
        }

        RestoreReport report = await RestoreAsync(fixture);
        AssertWhole(fixture, report);
        Assert.Contains(
            report.Issues,
            issue => issue.Reason == "The volume is missing; it was rebuilt from its parity file, for this run only"
        );
        Assert.Empty(report.LostVolumes);
    }

    [Fact]
    public async Task A_volume_that_was_cut_is_repaired()
    {
        FixtureBackup fixture = await CopyAsync("aes-100kb");
        string volume = Largest("*.dblock*");
        await ProtectAsync(volume, 20);
        using (FileStream file = File.OpenWrite(volume))
        {
            file.SetLength(file.Length * 9 / 10);
        }

        AssertWhole(fixture, await RestoreAsync(fixture));
    }

    [Fact]
    public async Task The_file_list_of_a_version_is_repaired()
    {
        FixtureBackup fixture = await CopyAsync("aes-100kb");
        string list = Path.Combine(Store, fixture.Versions[0].FileListName);
        await ProtectAsync(list, 20);
        Damage(list);
        AssertWhole(fixture, await RestoreAsync(fixture));
    }

    [Fact]
    public async Task A_file_list_is_repaired_before_its_entries_are_passed_on()
    {
        FixtureBackup fixture = await CopyAsync("plain-1mb");
        string list = Path.Combine(Store, fixture.Versions[0].FileListName);
        List<int> sound = await LengthsAsync();
        await ProtectAsync(list, 50);
        Damage(list);
        Assert.Equal(sound, await LengthsAsync());

        async Task<List<int>> LengthsAsync()
        {
            List<int> lengths = [];
            await using Backup backup = await Backup.OpenAsync(
                Store,
                fixture.Options() with
                {
                    CacheDirectory = Cache,
                }
            );
            await backup.ReadListAsync(backup.Versions[0], entry => lengths.Add(entry.Path.Length));
            Assert.Equal(lengths.Count, await backup.ListAsync(backup.Versions[0]).CountAsync());
            return lengths;
        }
    }

    [Fact]
    public async Task One_file_is_read_as_a_stream_though_its_volume_is_damaged()
    {
        FixtureBackup fixture = await CopyAsync("plain-1mb");
        foreach (string volume in Directory.GetFiles(Store, "*.dblock*"))
        {
            await ProtectAsync(volume, 100);
            File.Delete(volume);
        }

        await using Backup backup = await Backup.OpenAsync(Store, fixture.Options());
        await using Stream file = await backup.OpenEntryAsync(
            backup.Versions[0],
            $"{fixture.SourceRoot}/docs/readme.txt"
        );
        using StreamReader text = new(file);
        Assert.NotEmpty(await text.ReadToEndAsync());
    }

    [Fact]
    public async Task Without_the_program_the_report_says_what_would_help()
    {
        FixtureBackup fixture = await CopyAsync("plain-1mb");
        string volume = Largest("*.dblock*");
        await ProtectAsync(volume, 10);
        Damage(volume);
        RestoreReport report = await RestoreAsync(fixture, program: Path.Combine(folder.Path, "no-par2"));
        Assert.False(report.IsComplete);
        Assert.Equal(
            Path.GetFileName(volume),
            Assert.Single(report.Issues, issue => issue.Code == IssueCode.ParityProgramMissing).Path
        );
    }

    [Fact]
    public async Task Parity_files_of_sound_volumes_are_not_even_read()
    {
        FixtureBackup fixture = await CopyAsync("plain-1mb");
        foreach (string volume in Directory.GetFiles(Store, "*.d*.zip"))
        {
            await File.WriteAllTextAsync(volume + ".par2", "no parity at all");
        }

        AssertWhole(fixture, await RestoreAsync(fixture));
        Assert.False(Directory.Exists(Cache) && Directory.GetDirectories(Cache, "restore-parity-*").Length > 0);
    }

    [Fact]
    public async Task More_damage_than_the_parity_file_can_mend_is_reported()
    {
        FixtureBackup fixture = await CopyAsync("plain-1mb");
        string volume = Largest("*.dblock*");
        await ProtectAsync(volume, 1);
        Damage(volume, every: 2000);
        RestoreReport report = await RestoreAsync(fixture);
        Assert.False(report.IsComplete);
        Assert.Contains(
            report.Issues,
            issue =>
                issue.Path == Path.GetFileName(volume)
                && issue.Reason
                    == "The volume cannot be repaired with its parity file: Too much of the volume is damaged for its parity file"
        );
    }

    [Fact]
    public async Task A_set_made_to_do_harm_is_never_given_to_the_program()
    {
        FixtureBackup fixture = await CopyAsync("plain-1mb");
        string volume = Largest("*.dblock*");
        string victim = Path.Combine(folder.Path, "victim");
        await File.WriteAllTextAsync(victim, "as it was");
        await ProtectAsync(volume, 10);
        byte[] set = await File.ReadAllBytesAsync(volume + ".par2");
        await File.WriteAllBytesAsync(volume + ".par2", [.. set, .. ParitySetTests.Packet("../../victim", 9)]);
        Damage(volume);
        RestoreReport report = await RestoreAsync(fixture);
        Assert.False(report.IsComplete);
        Assert.Contains(
            report.Issues,
            issue => issue.Reason.EndsWith("It describes another file than the volume", StringComparison.Ordinal)
        );
        Assert.Equal("as it was", await File.ReadAllTextAsync(victim));
    }

    public void Dispose() => folder.Dispose();

    private static void AssertWhole(FixtureBackup fixture, RestoreReport report)
    {
        Assert.DoesNotContain(
            report.Issues,
            issue => issue.Kind is IssueKind.Damaged or IssueKind.Missing || issue.MetadataLost
        );
        Assert.True(report.FilesRestored > 0, fixture.Name);
    }

    private static void Damage(string file, int every = 1 << 30)
    {
        byte[] bytes = File.ReadAllBytes(file);
        for (int at = bytes.Length / 2; at < bytes.Length; at += every)
        {
            Array.Fill(bytes, (byte)'x', at, Math.Min(300, bytes.Length - at));
        }

        File.WriteAllBytes(file, bytes);
    }

    /// <summary>
    /// Makes the parity file of a volume: what par2 writes for a file named data, in one file.
    /// </summary>
    private async Task ProtectAsync(string volume, int percent)
    {
        string work = Directory
            .CreateDirectory(Path.Combine(folder.Path, "par2-" + Guid.NewGuid().ToString("N")))
            .FullName;
        File.Copy(volume, Path.Combine(work, "data"));
        ProcessStartInfo start = new(
            NeedsProgramsAttribute.Find("par2")!,
            ["create", "-q", "-b100", $"-r{percent}", "-n1", "data.par2", "data"]
        )
        {
            WorkingDirectory = work,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process par2 = Process.Start(start)!;
        try
        {
            Task<string> output = par2.StandardOutput.ReadToEndAsync();
            Task<string> errors = par2.StandardError.ReadToEndAsync();
            await par2.WaitForExitAsync().WaitAsync(TimeSpan.FromMinutes(1));
            Assert.True(par2.ExitCode == 0, await output + await errors);
        }
        finally
        {
            par2.Kill();
        }

        using FileStream set = File.Create(volume + ".par2");
        foreach (string part in Directory.GetFiles(work, "*.par2").Order(StringComparer.Ordinal))
        {
            await set.WriteAsync(await File.ReadAllBytesAsync(part));
        }
    }

    private string Largest(string pattern) =>
        Directory.GetFiles(Store, pattern).MaxBy(file => new FileInfo(file).Length)!;

    private async Task<FixtureBackup> CopyAsync(string name)
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf(name).First();
        Directory.CreateDirectory(Store);
        foreach (string file in Directory.GetFiles(fixture.Location))
        {
            await File.WriteAllBytesAsync(
                Path.Combine(Store, Path.GetFileName(file)),
                await File.ReadAllBytesAsync(file)
            );
        }

        return fixture;
    }

    private async Task<RestoreReport> RestoreAsync(FixtureBackup fixture, bool legacy = false, string? program = null)
    {
        BackupOptions options = fixture.Options() with { Par2ProgramPath = program, CacheDirectory = Cache };
        await using Backup backup = await Backup.OpenAsync(Store, options);
        RestoreReport report = await backup.RestoreAsync(
            backup.Versions[0],
            new RestoreOptions { Target = folder.Root }.Legacy(legacy)
        );
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
        return report;
    }
}
