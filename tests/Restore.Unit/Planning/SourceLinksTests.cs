using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Restore.Planning.Paths;
using Restore.Targets;

namespace Restore.Tests.Planning;

public sealed class SourceLinksTests
{
    private const uint Ann = 1000;
    private const uint Bob = 1001;

    private static readonly (string, string, uint)[] Linked =
    [
        ("home", "var/home", 0),
        ("var/home", "", 0),
        ("var/home/ann", "", Ann),
        ("var/home/ann/docs", "../../../data/docs", Ann),
        ("var/home/ann/etc", "/etc", Ann),
        ("var/home/ann/gone", "/nowhere", Ann),
        ("var/home/ann/file", "/etc/hosts", Ann),
        ("var/home/ann/loop", "loop", Ann),
        ("var/home/ann/tricky", "/nowhere/../etc", 0),
        ("var/home/ann/up", "/../../var/./home/", 0),
        ("data/docs", "", Ann),
        ("data/others", "", Bob),
        ("etc", "", 0),
        ("etc/hosts", "*", 0),
        ("all", "/", 0),
    ];

    [Theory]
    [InlineData("/home/ann", "var/home/ann")]
    [InlineData("/home/not/there/yet", "var/home/not/there/yet")]
    [InlineData("/home/ann/docs/deep", "data/docs/deep")]
    [InlineData("/home/ann/up/ann", "var/home/ann")]
    [InlineData("/all", "")]
    [InlineData("/all/home/ann", "var/home/ann")]
    public void A_source_is_where_the_links_above_it_lead(string source, string place)
    {
        var links = new SourceLinks(FakeTarget.Of(Linked));
        Assert.Equal([new Redirect(source[1..], place)], links.Resolve([source]));
        Assert.Empty(links.Issues);
    }

    [Theory]
    [InlineData("/var/home/ann")]
    [InlineData("/not/there")]
    [InlineData("/etc/hosts/x")]
    public void A_source_without_a_link_above_it_is_where_it_was(string source)
    {
        var links = new SourceLinks(FakeTarget.Of(Linked));
        Assert.Empty(links.Resolve([source]));
        Assert.Empty(links.Issues);
    }

    [Theory]
    [InlineData("/home/ann/etc", "leads to /etc and belongs to another user")]
    [InlineData("/home/ann/etc/ssh", "leads to /etc and belongs to another user")]
    [InlineData("/home/ann/gone", "does not lead to a folder")]
    [InlineData("/home/ann/file", "does not lead to a folder")]
    [InlineData("/home/ann/loop", "does not lead to a folder")]
    [InlineData("/home/ann/tricky", "does not lead to a folder")]
    public void A_link_that_somebody_else_made_or_that_leads_nowhere_is_not_followed(string source, string reason)
    {
        var links = new SourceLinks(FakeTarget.Of(Linked));
        Assert.Empty(links.Resolve([source]));
        RestoreIssue issue = Assert.Single(links.Issues);
        Assert.Contains(reason, issue.Reason, StringComparison.Ordinal);
        Assert.Equal((source + "/", IssueCode.LinkAboveSource), (issue.Path, issue.Code));
    }

    [Fact]
    public void A_link_that_is_replaced_while_it_is_read_is_not_followed()
    {
        IRestoreTarget target = FakeTarget.Of(Linked);
        ((FakeTarget)(object)target).IsRestless = true;
        var links = new SourceLinks(target);
        Assert.Empty(links.Resolve(["/home/ann"]));
        Assert.Single(links.Issues);
    }

    /// <summary>What is at paths: a link with its target, a folder (""), or a file ("*").</summary>
    [SuppressMessage("Performance", "CA1852:Seal internal types", Justification = "The proxy derives from it.")]
    private class FakeTarget : DispatchProxy
    {
        private readonly Dictionary<string, (string Link, uint Owner)> entries = [];
        private long looks;

        public bool IsRestless { get; set; }

        public static IRestoreTarget Of((string Path, string Link, uint Owner)[] entries)
        {
            IRestoreTarget target = Create<IRestoreTarget, FakeTarget>();
            foreach ((string path, string link, uint owner) in entries)
            {
                ((FakeTarget)(object)target).entries.Add(path, (link, owner));
            }

            return target;
        }

        protected override object? Invoke(MethodInfo? method, object?[]? arguments)
        {
            string path = (string)arguments![0]!;
            return method!.Name switch
            {
                nameof(IRestoreTarget.Display) => "/" + path,
                nameof(IRestoreTarget.ReadSymlink) => entries[path].Link,
                nameof(IRestoreTarget.Inspect) or nameof(IRestoreTarget.TryInspect) => Look(path),
                _ => throw new NotSupportedException(method.Name),
            };
        }

        private TargetStatus Look(string path)
        {
            bool isThere = entries.TryGetValue(path, out (string Link, uint Owner) entry);
            TargetKind kind =
                path.Length == 0 || entries.Keys.Any(other => other.StartsWith(path + "/", StringComparison.Ordinal))
                    ? TargetKind.Folder
                : !isThere ? TargetKind.Nothing
                : entry.Link switch
                {
                    "" => TargetKind.Folder,
                    "*" => TargetKind.File,
                    _ => TargetKind.Symlink,
                };
            return new TargetStatus(kind, 0, 0, 1)
            {
                Owner = entry.Owner,
                IsTrusted = entry.Owner == 0,
                Identity = IsRestless ? ++looks : 0,
            };
        }
    }
}
