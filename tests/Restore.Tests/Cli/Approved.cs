namespace Restore.Tests.Cli;

/// <summary>Texts that were reviewed, and are files of the repository.</summary>
internal static class Approved
{
    /// <summary>
    /// Compares a file with what it should be; with the variable RESTORE_APPROVE it writes the file
    /// instead, for a review of the difference.
    /// </summary>
    public static async Task AssertAsync(string actual, params string[] path)
    {
        var file = Path.Combine([Fixtures.RepositoryRoot(), .. path]);
        if (!string.IsNullOrEmpty(Environment.GetEnvironmentVariable("RESTORE_APPROVE")))
        {
            await File.WriteAllTextAsync(file, actual);
            return;
        }

        Assert.True(File.Exists(file), $"{file} is missing. With RESTORE_APPROVE=1 the test writes it.");
        Assert.Equal(await File.ReadAllTextAsync(file), actual);
    }
}
