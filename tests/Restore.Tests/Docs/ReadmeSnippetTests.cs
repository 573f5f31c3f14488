using System.Formats.Tar;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Restore.Azure;
using Restore.DependencyInjection;
using Restore.S3;
using Restore.Sftp;
using Restore.Tests.Streams;

namespace Restore.Tests.Docs;

/// <summary>The README's program, compiled and run.</summary>
public sealed class ReadmeSnippetTests
{
    [Fact]
    public void The_snippet_is_the_code_that_runs_here() => AssertSnippet("README.md", "README", "using Restore;\n");

    [Fact]
    public void The_snippet_of_the_package_is_code_that_runs_here() =>
        AssertSnippet("src/Restore/README.md", "Package", "using Restore;\n");

    [Fact]
    public void The_snippet_of_the_S3_package_is_code_that_compiles() =>
        AssertSnippet("src/Restore.S3/README.md", "S3", "using Restore;\nusing Restore.S3;\n");

    [Fact]
    public async Task The_snippet_of_the_S3_package_opens_an_S3_store()
    {
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => OpenS3Async("s3://key-only@bucket/prefix"));
        Assert.StartsWith("Only one of access key and secret is given", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_snippet_of_the_Azure_package_is_code_that_compiles() =>
        AssertSnippet("src/Restore.Azure/README.md", "Azure", "using Restore;\nusing Restore.Azure;\n");

    [Fact]
    public async Task The_snippet_of_the_Azure_package_opens_a_container()
    {
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => OpenAzureAsync("azure://container", "no key"));
        Assert.StartsWith("The access key for Azure is not Base64", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_snippet_of_the_SFTP_package_is_code_that_compiles() =>
        AssertSnippet("src/Restore.Sftp/README.md", "SFTP", "using Restore;\nusing Restore.Sftp;\n");

    [Fact]
    public async Task The_snippet_of_the_SFTP_package_opens_an_SFTP_store()
    {
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => OpenSftpAsync("ssh://127.0.0.1:9/backup"));
        Assert.Equal(RestoreErrorCode.SshKeyUnusable, failure.Code);
    }

    [Theory]
    [InlineData("Register", 0)]
    [InlineData("Service", 1)]
    public void The_snippets_of_the_package_for_dependency_injection_are_code_that_runs_here(string name, int number) =>
        AssertSnippet("src/Restore.DependencyInjection/README.md", name, "", number);

    [Fact]
    public async Task The_snippets_of_the_package_for_dependency_injection_register_a_backup()
    {
        ServiceCollection services = new();
        Register(services, "correct horse");
        services.AddSingleton<BackupSource>(_ => new BackupSource(Fixtures.Backup("plain-1mb"), new BackupOptions()));
        services.AddSingleton<VersionCount>();
        await using ServiceProvider provider = services.BuildServiceProvider();
        Assert.NotEqual(0, await provider.GetRequiredService<VersionCount>().CountAsync(TestContext.Current.CancellationToken));
        Assert.Equal(2, services.Count(service => service.ServiceType == typeof(BackupSource)));
    }

    [Theory]
    [InlineData("Open", 0)]
    [InlineData("List", 1)]
    [InlineData("Execute", 2)]
    [InlineData("Progress", 3)]
    [InlineData("Stream", 4)]
    [InlineData("Errors", 5)]
    [InlineData("Sink", 6)]
    [InlineData("Export", 7)]
    [InlineData("Fake", 8)]
    public void The_snippets_of_the_page_about_the_library_are_code_that_runs_here(string name, int number) =>
        AssertSnippet("docs/library.md", name, "", number);

    [Fact]
    public async Task The_snippets_of_the_page_about_the_library_read_a_file_and_make_a_tar()
    {
        using TempFolder folder = new();
        using MadeBackup made = await MadeBackup.WriteAsync(files: 3, bytesEach: 150_000);
        await using Backup backup = await Backup.OpenAsync(made.Store);
        List<BackupEntry> files = await backup.ListAsync(backup.Versions[0]).Where(entry => entry.Kind == BackupEntryKind.File).ToListAsync();
        byte[] tail = await ReadTailAsync(backup, files[0].Path);
        Assert.Equal(made.ContentOf(0)[^100..], tail);
        string archive = Path.Combine(folder.Path, "home.tar");
        await MakeTarAsync(backup, archive);
        await using TarReader reader = new(File.OpenRead(archive));
        int entries = 0;
        while (await reader.GetNextEntryAsync() is not null)
        {
            entries++;
        }

        Assert.True(entries > files.Count, $"{entries} entries");
    }

    [Fact]
    public async Task The_fake_of_the_page_about_the_library_stands_for_a_backup()
    {
        await using FakeBackup backup = new();
        await ListAsync(backup);
        BackupEntry entry = Assert.Single(await backup.ListAsync(backup.Versions[0]).ToListAsync());
        Assert.Equal("/home/ann/notes.txt", entry.Path);
    }

    [Fact]
    public async Task The_snippets_of_the_page_about_the_library_open_list_and_restore_a_backup()
    {
        using TempFolder folder = new();
        using MadeBackup made = await MadeBackup.WriteAsync(files: 3, bytesEach: 150_000);
        await OpenAsync(Fixtures.Backup("aes-100kb"), "correct horse");
        Assert.Equal("NotFound", (await OpenFailsAsync(folder.Path, "correct horse")).Split(':')[0]);
        await using Backup backup = await Backup.OpenAsync(made.Store);
        await ListAsync(backup);
        Assert.True((await ExecuteAsync(backup, Path.Combine(folder.Path, "out"))).IsComplete);
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = Path.Combine(folder.Path, "again") });
        Assert.True((await ExecuteWithProgressAsync(backup, plan, CancellationToken.None, TestContext.Current.CancellationToken)).IsComplete);
    }

    private static void AssertSnippet(string page, string name, string usings, int number = -1)
    {
        string source = File.ReadAllText(Path.Combine(Fixtures.RepositoryRoot(), "tests", "Restore.Tests", "Docs", "ReadmeSnippetTests.cs"));
        string[] region = [.. source.Split('\n')
            .SkipWhile(line => line.Trim() != "#region " + name).Skip(1)
            .TakeWhile(line => line.Trim() != "#endregion")
            .Where(line => line.Length > 0)];
        int indent = region[0].Length - region[0].TrimStart().Length;
        string[] snippets = [.. Page.Of(page).Fenced("csharp")];
        string snippet = number < 0 ? Assert.Single(snippets) : snippets[number];
        string code = string.Join('\n', region.Select(line => line[indent..]));
        Assert.Equal(usings.Length > 0 ? $"{usings}\n{code}\n" : $"{code}\n", snippet);
    }

    [Fact]
    public async Task The_snippet_restores_a_backup()
    {
        using TempFolder folder = new();
        string target = Path.Combine(folder.Path, "out");
        await RunAsync([Fixtures.Backup("aes-100kb"), target]);
        RestoredTree.AssertEqual(Path.Combine(Fixtures.Folder("aes-100kb"), "expected-0.json"), target, TreeChecks.Content, IsLinkOutside);
    }

    [Fact]
    public async Task The_snippet_of_the_package_restores_a_backup()
    {
        using TempFolder folder = new();
        string target = Path.Combine(folder.Path, "out");
        await PackageAsync(Fixtures.Backup("aes-100kb"), "correct horse", target);
        RestoredTree.AssertEqual(Path.Combine(Fixtures.Folder("aes-100kb"), "expected-0.json"), target, TreeChecks.Content, IsLinkOutside);
    }

    private static bool IsLinkOutside(string path) => path is "links/absolute" or "links/outside";

    private static async Task RunAsync(string[] args)
    {
        #region README
        await using Backup backup = await Backup.OpenAsync(args[0], new BackupOptions { Passphrase = "correct horse" });
        BackupVersion newest = backup.Versions[0];
        RestorePlan plan = await backup.PlanAsync(newest, new RestoreOptions { Target = args[1] });
        Console.WriteLine($"{plan.Files} files, {plan.BytesToFetch} bytes to fetch from {plan.Volumes.Count} volumes");
        RestoreReport report = await backup.ExecuteAsync(plan);
        foreach (RestoreIssue issue in report.Issues)
        {
            Console.WriteLine($"{issue.Kind}: {issue.Path}: {issue.Reason}");
        }
        #endregion
    }

    private static async Task PackageAsync(string location, string passphrase, string folder)
    {
        #region Package
        await using Backup backup = await Backup.OpenAsync(location, new BackupOptions { Passphrase = passphrase });
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = folder });
        RestoreReport report = await backup.ExecuteAsync(plan);
        #endregion
        Assert.True(report.FilesRestored > 0);
    }

    private static async Task OpenAsync(string location, string passphrase)
    {
        #region Open
        await using Backup backup = await Backup.OpenAsync(location, new BackupOptions { Passphrase = passphrase });
        foreach (BackupVersion version in backup.Versions)
        {
            Console.WriteLine($"{version.Index}: {version.Time:u}");
        }
        #endregion
    }

    private static async Task ListAsync(Backup backup)
    {
        #region List
        await foreach (BackupEntry entry in backup.ListAsync(backup.Versions[0]))
        {
            Console.WriteLine($"{entry.Kind} {entry.SizeBytes} {entry.Path}");
        }
        #endregion
    }

    private static async Task<RestoreReport> ExecuteAsync(Backup backup, string target)
    {
        #region Execute
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = target });
        Console.WriteLine($"{plan.Files} files, {plan.BytesToFetch} bytes from {plan.Volumes.Count} volumes, {plan.Issues.Count} issues");
        RestoreReport report = await backup.ExecuteAsync(plan);
        Console.WriteLine(report.IsComplete ? "complete" : $"{report.Issues.Count} issues");
        #endregion
        return report;
    }

    private static async Task<RestoreReport> ExecuteWithProgressAsync(
        Backup backup, RestorePlan plan, CancellationToken stop, CancellationToken cancellationToken)
    {
        #region Progress
        ExecuteOptions options = new()
        {
            Progress = new Progress<RestoreProgress>(progress => Console.WriteLine($"{progress.Phase}: {progress.BytesDone} of {progress.BytesTotal} bytes")),
            StopToken = stop,
        };
        RestoreReport report = await backup.ExecuteAsync(plan, options, cancellationToken);
        #endregion
        return report;
    }

    private static async Task<string> OpenFailsAsync(string location, string passphrase)
    {
        #region Errors
        try
        {
            await using Backup backup = await Backup.OpenAsync(location, new BackupOptions { Passphrase = passphrase });
            return $"{backup.Versions.Count} versions";
        }
        catch (RestoreException failure) when (failure.Code == RestoreErrorCode.BackupNotFound)
        {
            return $"{failure.Kind}: {failure.Message}";
        }
        #endregion
    }

    private static async Task<byte[]> ReadTailAsync(Backup backup, string path)
    {
        #region Stream
        await using Stream file = await backup.OpenEntryAsync(backup.Versions[0], path);
        file.Seek(-100, SeekOrigin.End);
        byte[] tail = new byte[100];
        await file.ReadExactlyAsync(tail);
        #endregion
        return tail;
    }

    private static async Task MakeTarAsync(Backup backup, string path)
    {
        #region Export
        await using FileStream archive = File.Create(path);
        await using TarWriter writer = new(archive);
        ExportReport report = await backup.ExportAsync(backup.Versions[0], new TarSink(writer));
        Console.WriteLine($"{report.Files} files, {report.Issues.Count} issues");
        #endregion
        Assert.True(report.IsComplete);
    }

    private static async Task OpenS3Async(string location)
    {
        #region S3
        var options = new BackupOptions
        {
            Stores = StoreRegistry.Default.With(new S3StoreProvider()),
            StoreOptions = new S3StoreOptions { Region = "eu-central-1" },
        };
        await using Backup backup = await Backup.OpenAsync(location, options);
        #endregion
    }

    private static async Task OpenAzureAsync(string location, string key)
    {
        #region Azure
        var options = new BackupOptions
        {
            Stores = StoreRegistry.Default.With(new AzureStoreProvider()),
            StoreOptions = new AzureStoreOptions { AccountName = "ann", AccessKey = key },
        };
        await using Backup backup = await Backup.OpenAsync(location, options);
        #endregion
    }

    private static async Task OpenSftpAsync(string location)
    {
        #region SFTP
        var options = new BackupOptions
        {
            Stores = StoreRegistry.Default.With(new SftpStoreProvider()),
            StoreOptions = new SftpStoreOptions { Username = "ann", KeyFile = "/home/ann/.ssh/id_ed25519" },
        };
        await using Backup backup = await Backup.OpenAsync(location, options);
        #endregion
    }

    private static void Register(ServiceCollection services, string passphrase)
    {
        #region Register
        services.AddSingleton<IStoreProvider, S3StoreProvider>();
        services.AddBackup(
            "s3://bucket/prefix",
            (_, options) => options with
            {
                Passphrase = passphrase,
                StoreOptions = new S3StoreOptions { Region = "eu-central-1" },
            }
        );
        #endregion
    }

    #region Service
    internal sealed class VersionCount(BackupSource source)
    {
        public async Task<int> CountAsync(CancellationToken cancellationToken)
        {
            Backup backup = await source.GetAsync(cancellationToken);
            return backup.Versions.Count;
        }
    }
    #endregion

    #region Fake
    internal sealed class FakeBackup : Backup
    {
        public override IReadOnlyList<BackupVersion> Versions { get; } = [new BackupVersion(0, DateTimeOffset.UnixEpoch, "a list")];

        public override async IAsyncEnumerable<BackupEntry> ListAsync(
            BackupVersion version, EntryFilter? filter = null, [EnumeratorCancellation] CancellationToken cancellationToken = default)
        {
            await Task.Yield();
            yield return new BackupEntry("/home/ann/notes.txt", BackupEntryKind.File, 12, version.Time);
        }
    }
    #endregion

    #region Sink
    internal sealed class TarSink(TarWriter writer) : IEntrySink
    {
        public async ValueTask TakeAsync(ExportedEntry entry, Stream content, CancellationToken cancellationToken)
        {
            string name = entry.Entry.Path.TrimStart('/');
            TarEntry tar = entry.Entry.Kind switch
            {
                BackupEntryKind.Folder => new PaxTarEntry(TarEntryType.Directory, name),
                BackupEntryKind.Symlink => new PaxTarEntry(TarEntryType.SymbolicLink, name) { LinkName = entry.LinkTarget! },
                _ => new PaxTarEntry(TarEntryType.RegularFile, name) { DataStream = content },
            };
            tar.ModificationTime = entry.LastModified ?? DateTimeOffset.UnixEpoch;
            tar.Mode = entry.Mode ?? tar.Mode;
            await writer.WriteEntryAsync(tar, cancellationToken);
        }
    }
    #endregion
}
