namespace Restore.Storage.WebDav;

internal static class WebDavOptions
{
    public static readonly StoreOption UseTls = new("use-ssl", "speaks TLS with `webdav://`, too")
    {
        Kind = StoreOptionKind.Switch,
        Default = "off",
    };

    public static readonly StoreOption ForceDigest = new(
        "force-digest-authentication",
        "never sends the password itself"
    )
    {
        Kind = StoreOptionKind.Switch,
        Default = "off",
    };

    public static readonly IReadOnlyList<StoreOption> All = [UseTls, ForceDigest, .. StoreHttp.Options];
}
