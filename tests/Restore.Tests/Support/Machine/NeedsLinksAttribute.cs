namespace Restore.Tests.Support.Machine;

/// <summary>
/// Needs symbolic links. Wine has none; Windows has them for administrators and in its developer
/// mode.
/// </summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
public sealed class NeedsLinksAttribute : NeedsAttribute
{
    private static readonly Lazy<bool> Tried = new(Try);

    public static bool HasLinks => Tried.Value;

    public override string Need => "symbolic links";

    public override string? Missing => HasLinks ? null : "This system lets nobody, or not this user, create links";

    private static bool Try()
    {
        using TempFolder folder = new();
        string link = Path.Join(folder.Path, "link");
        try
        {
            File.CreateSymbolicLink(link, "nowhere");
        }
        catch (IOException)
        {
            return false;
        }

        return new FileInfo(link).LinkTarget is not null;
    }
}
