using Restore.S3;

namespace Restore.Tests.Docs;

/// <summary>The README's program, compiled and run.</summary>
public sealed class ReadmeSnippetTests
{
    [Fact]
    public void The_snippet_is_the_code_that_runs_here() => AssertSnippet("README.md", "README", "using Restore;\n");

    [Fact]
    public void The_snippet_of_the_S3_package_is_code_that_compiles() =>
        AssertSnippet("src/Restore.S3/README.md", "S3", "using Restore;\nusing Restore.S3;\n");

    [Fact]
    public async Task The_snippet_of_the_S3_package_opens_an_S3_store()
    {
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => OpenS3Async("s3://key-only@bucket/prefix"));
        Assert.StartsWith("Of the access key and its secret only one is given", failure.Message, StringComparison.Ordinal);
    }

    private static void AssertSnippet(string page, string name, string usings)
    {
        string source = File.ReadAllText(Path.Combine(Fixtures.RepositoryRoot(), "tests", "Restore.Tests", "Docs", "ReadmeSnippetTests.cs"));
        string[] region = [.. source.Split('\n')
            .SkipWhile(line => line.Trim() != "#region " + name).Skip(1)
            .TakeWhile(line => line.Trim() != "#endregion")
            .Where(line => line.Length > 0)
            .Select(line => line[8..])];
        string snippet = Assert.Single(Page.Of(page).Fenced("csharp"));
        Assert.Equal($"{usings}\n{string.Join('\n', region)}\n", snippet);
    }

    [Fact]
    public async Task The_snippet_restores_a_backup()
    {
        using TempFolder folder = new();
        string target = Path.Combine(folder.Path, "out");
        await RunAsync([Fixtures.Backup("aes-100kb"), target]);
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

    private static async Task OpenS3Async(string location)
    {
        #region S3
        var options = new BackupOptions
        {
            Stores = StoreRegistry.Default.With(new S3StoreProvider()),
            StoreOptions = new Dictionary<string, string> { ["s3-location-name"] = "eu-central-1" },
        };
        await using Backup backup = await Backup.OpenAsync(location, options);
        #endregion
    }
}
