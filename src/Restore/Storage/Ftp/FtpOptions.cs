using Restore.Storage.Http;
using Restore.Storage.Rclone;

namespace Restore.Storage.Ftp;

internal static class FtpOptions
{
    public static readonly StoreOption EncryptionMode = new("ftp-encryption-mode", "`None`, `Implicit` or `Explicit`")
    {
        Default = "None",
        Aliases = ["aftp-encryption-mode"],
    };

    public static readonly StoreOption UseTls = new("use-ssl", "the same as `Explicit`")
    {
        Kind = StoreOptionKind.Switch,
        Default = "off",
    };

    public static readonly StoreOption AbsolutePath = new(
        "ftp-absolute-path",
        "whether the path starts at the server's root"
    )
    {
        Kind = StoreOptionKind.Switch,
        Default = "off for `ftp://`, on for `aftp://`",
        Aliases = ["aftp-absolute-path"],
    };

    public static readonly IReadOnlyList<StoreOption> All =
    [
        EncryptionMode,
        UseTls,
        AbsolutePath,
        CertificateCheck.AcceptAny,
        .. RcloneOptions.All,
    ];
}
