namespace Restore.Cli.Options;

/// <summary>Finds the credentials in a storage URL and among its options.</summary>
internal static class StorageSecrets
{
    public static IEnumerable<string> In(string storage, IReadOnlyDictionary<string, string> storeOptions) =>
        InUrl(storage).Concat(storeOptions.Where(option => ForeignOptions.IsSecret(option.Key)).Select(option => option.Value));

    private static IEnumerable<string> InUrl(string storage)
    {
        var scheme = storage.IndexOf("://", StringComparison.Ordinal);
        if (scheme < 0)
        {
            yield break;
        }

        var query = storage.IndexOf('?', scheme);
        foreach (var pair in query < 0 ? [] : storage[(query + 1)..].Split('&'))
        {
            var parts = pair.Split('=', 2);
            if (parts.Length == 2 && ForeignOptions.IsSecret(parts[0]))
            {
                yield return parts[1];
                yield return Uri.UnescapeDataString(parts[1]);
            }
        }

        var rest = query < 0 ? storage[(scheme + 3)..] : storage[(scheme + 3)..query];
        var userInfo = rest.Split('/', 2)[0];
        var at = userInfo.LastIndexOf('@');
        var colon = userInfo.IndexOf(':', StringComparison.Ordinal);
        if (colon >= 0 && colon < at)
        {
            yield return userInfo[(colon + 1)..at];
            yield return Uri.UnescapeDataString(userInfo[(colon + 1)..at]);
        }
    }
}
