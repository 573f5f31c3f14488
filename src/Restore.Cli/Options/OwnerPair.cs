namespace Restore.Cli.Options;

/// <summary>
/// A value of <c>--map-owner</c>: OLD=NEW, or :OLD=:NEW for groups of a Unix system.
/// </summary>
internal static class OwnerPair
{
    private const string Form = "give OLD=NEW, such as ann=anna, :staff=:users or S-1-5-21-1-2-3-1001=ann";

    /// <exception cref="UsageException">The value is no pair, or contradicts another.</exception>
    public static IReadOnlyDictionary<string, string> Add(IReadOnlyDictionary<string, string> pairs, string text)
    {
        var parts = text.Split('=');
        if (parts is not [{ Length: > 0 } old, { Length: > 0 } wanted] || old == ":" || wanted == ":")
        {
            throw new UsageException($"--map-owner: '{text}' cannot be used; {Form}");
        }

        if (old[0] == ':' != (wanted[0] == ':'))
        {
            throw new UsageException($"--map-owner: '{text}' makes a group of a user, or a user of a group; {Form}");
        }

        if (pairs.TryGetValue(old, out var other) && other != wanted)
        {
            throw new UsageException($"--map-owner: '{old}' is mapped to '{other}' and to '{wanted}'");
        }

        return new Dictionary<string, string>(pairs) { [old] = wanted };
    }
}
