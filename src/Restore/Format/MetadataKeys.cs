namespace Restore.Format;

internal static class MetadataKeys
{
    public static ReadOnlySpan<byte> ExtendedAttribute => "unix-ext:"u8;

    public static ReadOnlySpan<byte> Permissions => "unix:uid-gid-perm"u8;

    public static ReadOnlySpan<byte> OwnerName => "unix:owner-name"u8;

    public static ReadOnlySpan<byte> GroupName => "unix:group-name"u8;

    public static ReadOnlySpan<byte> MacFlags => "macos:flags"u8;

    public static ReadOnlySpan<byte> MacAcl => "macos:acl"u8;

    public static ReadOnlySpan<byte> AccessRules => "win-ext:accessrules"u8;

    public static ReadOnlySpan<byte> AccessRulesProtected => "win-ext:accessrulesprotected"u8;

    public static ReadOnlySpan<byte> Attributes => "CoreAttributes"u8;

    public static ReadOnlySpan<byte> LastWriteTime => "CoreLastWritetime"u8;

    public static ReadOnlySpan<byte> CreationTime => "CoreCreatetime"u8;

    public static ReadOnlySpan<byte> SymlinkTarget => "CoreSymlinkTarget"u8;
}
