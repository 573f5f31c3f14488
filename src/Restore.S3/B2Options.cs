namespace Restore.S3;

internal static class B2Options
{
    public static readonly StoreOption KeyId = new(
        "b2-accountid",
        "the ID of an application key; another name for the user"
    );

    public static readonly StoreOption Key = new(
        "b2-applicationkey",
        "the application key; another name for the password"
    )
    {
        IsSecret = true,
    };

    public static readonly StoreOption Server = S3Options.Server with { Default = "what B2 names for the account" };

    public static readonly StoreOption UseTls = S3Options.UseTls with { Default = "on" };

    public static readonly IReadOnlyList<StoreOption> All = [KeyId, Key, Server, UseTls, .. StoreHttp.Options];
}
