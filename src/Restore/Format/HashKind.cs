namespace Restore.Format;

/// <summary>The hash algorithms a backup can name in its manifest.</summary>
internal enum HashKind : byte
{
    Md5,
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}
