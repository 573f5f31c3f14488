namespace Restore.Tests.Support.Machine;

/// <summary>Needs programs or files of the system.</summary>
/// <param name="installedBy">The script that installs them.</param>
/// <param name="programs">Names on the search path, or paths; a relative path starts at the folder
/// of this clone.</param>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method, AllowMultiple = true)]
public sealed class NeedsProgramsAttribute(string installedBy, params string[] programs) : NeedsAttribute
{
    public override string Need => string.Join(" and ", programs.Select(program => Path.GetFileName(program)));

    public override string? Missing
    {
        get
        {
            string[] lacking =
            [
                .. programs.Where(program => Find(program) is null).Select(program => Path.GetFileName(program)),
            ];
            return lacking.Length == 0
                ? null
                : $"{string.Join(" and ", lacking)} is not installed; {installedBy} installs it";
        }
    }

    /// <summary>The full path of a program; null if the machine does not have it.</summary>
    public static string? Find(string program)
    {
        string[] places = program.Contains('/', StringComparison.Ordinal)
            ? [Fixtures.RepositoryRoot()]
            :
            [
                .. (Environment.GetEnvironmentVariable("PATH") ?? "").Split(
                    Path.PathSeparator,
                    StringSplitOptions.RemoveEmptyEntries
                ),
                "/usr/sbin",
                "/sbin",
            ];
        return places.Select(place => Path.Combine(place, program)).FirstOrDefault(File.Exists);
    }
}
