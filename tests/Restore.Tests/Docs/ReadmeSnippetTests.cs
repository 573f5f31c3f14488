namespace Restore.Tests.Docs;

/// <summary>The README's program, compiled and run.</summary>
public sealed class ReadmeSnippetTests
{
    [Fact]
    public void The_snippet_is_the_code_that_runs_here()
    {
        string source = File.ReadAllText(Path.Combine(Fixtures.RepositoryRoot(), "tests", "Restore.Tests", "Docs", "ReadmeSnippetTests.cs"));
        string[] region = [.. source.Split('\n')
            .SkipWhile(line => line.Trim() != "#region README").Skip(1)
            .TakeWhile(line => line.Trim() != "#endregion")
            .Where(line => line.Length > 0)
            .Select(line => line[8..])];
        string snippet = Assert.Single(Page.Of("README.md").Fenced("csharp"));
        Assert.Equal($"using Restore;\n\n{string.Join('\n', region)}\n", snippet);
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
        RestoreReport report = await plan.ExecuteAsync();
        foreach (RestoreIssue issue in report.Issues)
        {
            Console.WriteLine($"{issue.Kind}: {issue.Path}: {issue.Reason}");
        }
        #endregion
    }
}
