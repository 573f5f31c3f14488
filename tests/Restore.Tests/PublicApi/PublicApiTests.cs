using System.Reflection;

namespace Restore.Tests.PublicApi;

/// <summary>
/// The public surface is a reviewed file: a change of the API is a visible difference.
/// </summary>
public sealed class PublicApiTests
{
    [Theory]
    [InlineData("Restore")]
    [InlineData("Restore.Sftp")]
    [InlineData("Restore.S3")]
    [InlineData("Restore.Azure")]
    [InlineData("Restore.DependencyInjection")]
    public void The_public_types_and_members_are_the_approved_ones(string assembly)
    {
        string approvedFile = Path.Combine(
            Fixtures.RepositoryRoot(),
            "tests",
            "Restore.Tests",
            "PublicApi",
            $"{assembly}.approved.txt"
        );
        string actual = ApiText.Of(Assembly.Load(assembly));
        string received = Path.Combine(AppContext.BaseDirectory, $"{assembly}.received.txt");
        File.WriteAllText(received, actual);
        string[] approved = File.Exists(approvedFile) ? File.ReadAllLines(approvedFile) : [];
        string[] lines = actual.TrimEnd('\n').Split('\n');
        if (approved.SequenceEqual(lines))
        {
            return;
        }

        string[] changes =
        [
            .. approved.Except(lines).Select(line => "- " + line),
            .. lines.Except(approved).Select(line => "+ " + line),
        ];
        Assert.Fail(
            $"""
            The public surface of {assembly} has changed:
            {(changes.Length > 0 ? string.Join('\n', changes) : "only in its order")}
            If that is meant: cp {received} {approvedFile}, and say in CHANGELOG.md what it is for.
            """
        );
    }

    [Theory]
    [InlineData("Restore.Sftp")]
    [InlineData("Restore.S3")]
    [InlineData("Restore.Azure")]
    public void The_package_of_a_store_has_one_namespace(string assembly) =>
        Assert.All(Assembly.Load(assembly).GetExportedTypes(), type => Assert.Equal(assembly, type.Namespace));

    [Theory]
    [InlineData(typeof(IssueCode))]
    [InlineData(typeof(IssueKind))]
    [InlineData(typeof(RestorePhase))]
    public void The_numbers_of_an_enumeration_have_no_holes(Type enumeration) =>
        Assert.Equal(
            Enumerable.Range(0, Enum.GetValues(enumeration).Length),
            Enum.GetValues(enumeration).Cast<int>().Order()
        );
}
