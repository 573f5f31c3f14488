namespace Restore.Tests.PublicApi;

/// <summary>The public surface is a reviewed file: whoever changes it sees, and shows, what changed.</summary>
public sealed class PublicApiTests
{
    private static readonly string Approved =
        Path.Combine(Fixtures.RepositoryRoot(), "tests", "Restore.Tests", "PublicApi", "Restore.approved.txt");

    [Fact]
    public void The_public_types_and_members_are_the_approved_ones()
    {
        string actual = ApiText.Of(typeof(Backup).Assembly);
        string received = Path.Combine(AppContext.BaseDirectory, "Restore.received.txt");
        File.WriteAllText(received, actual);
        string[] approved = File.Exists(Approved) ? File.ReadAllLines(Approved) : [];
        string[] lines = actual.TrimEnd('\n').Split('\n');
        if (approved.SequenceEqual(lines))
        {
            return;
        }

        string[] changes = [.. approved.Except(lines).Select(line => "- " + line), .. lines.Except(approved).Select(line => "+ " + line)];
        Assert.Fail($"""
            The public surface of Restore has changed:
            {(changes.Length > 0 ? string.Join('\n', changes) : "only in its order")}
            If that is meant: cp {received} {Approved}, and say in CHANGELOG.md what it is for.
            """);
    }

    [Fact]
    public void Public_types_are_in_the_root_namespace() =>
        Assert.All(typeof(Backup).Assembly.GetExportedTypes(), type => Assert.Equal("Restore", type.Namespace));
}
