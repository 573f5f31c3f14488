using Restore.Storage.Ftp;
using Restore.Storage.Http;

namespace Restore.Stores;

/// <summary>
/// Options of an FTP folder, which rclone reaches, for <see cref="BackupOptions.StoreOptions"/>.
/// </summary>
public sealed class FtpStoreOptions : RcloneStoreOptions
{
    /// <summary><c>None</c>, <c>Implicit</c> or <c>Explicit</c>; <c>None</c> by default.</summary>
    public string? EncryptionMode
    {
        get;
        init => Set(FtpOptions.EncryptionMode, field = value);
    }

    /// <summary>The same as the mode <c>Explicit</c>.</summary>
    public bool? UseTls
    {
        get;
        init => Set(FtpOptions.UseTls, field = value);
    }

    /// <summary>
    /// Whether the path starts at the server's root; off for <c>ftp://</c> and on for
    /// <c>aftp://</c> by default.
    /// </summary>
    public bool? AbsolutePath
    {
        get;
        init => Set(FtpOptions.AbsolutePath, field = value);
    }

    /// <summary>Whether every server certificate is trusted.</summary>
    public bool? AcceptAnyCertificate
    {
        get;
        init => Set(CertificateCheck.AcceptAny, field = value);
    }
}
