using System.Text.RegularExpressions;

namespace Restore.Tests.Web;

/// <summary>
/// The modules of the page: what speaks to the back end is one of them, so that another back end is
/// another module.
/// </summary>
public sealed partial class PageModulesTests
{
    private static readonly string Folder = Path.Join(Fixtures.RepositoryRoot(), "src/Restore.Web/page");

    public static TheoryData<string> Modules =>
        [.. Directory.GetFiles(Folder, "*.js").Select(file => Path.GetFileName(file)!)];

    [Theory]
    [MemberData(nameof(Modules))]
    public void Only_the_transport_speaks_to_the_back_end_and_every_import_is_there(string module)
    {
        string text = File.ReadAllText(Path.Join(Folder, module));
        if (module != "server.js")
        {
            Assert.DoesNotMatch(@"\bfetch\(|EventSource|XMLHttpRequest|['""`]api/", text);
        }

        foreach (Match import in Imports().Matches(text))
        {
            string other = File.ReadAllText(Path.Join(Folder, import.Groups["from"].Value));
            foreach (string name in import.Groups["names"].Value.Split(',', StringSplitOptions.TrimEntries))
            {
                Assert.Matches($@"export (async )?(const|function|class) {name}\b", other);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Modules))]
    public void Nothing_of_a_backup_becomes_markup_or_code(string module) =>
        Assert.DoesNotMatch(
            @"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setAttribute\('style",
            File.ReadAllText(Path.Join(Folder, module))
        );

    [GeneratedRegex(@"import \{ (?<names>[^}]+) \} from '\./(?<from>[^']+)'")]
    private static partial Regex Imports();
}
