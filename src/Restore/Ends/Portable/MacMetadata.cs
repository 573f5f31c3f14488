using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;
using Restore.Ends.Unix;

namespace Restore.Ends.Portable;

/// <summary>Access lists and file flags, which only macOS has.</summary>
[SupportedOSPlatform("macos")]
internal static class MacMetadata
{
    private const int ExtendedList = 0x100;

    // UF_NODUMP, UF_IMMUTABLE, UF_APPEND, UF_OPAQUE, UF_HIDDEN: the other flags belong to the
    // super-user or the system.
    private const uint Settable = 0x1 | 0x2 | 0x4 | 0x8 | 0x8000;

    public static void Apply(
        SafeFileHandle? handle,
        string fullPath,
        EntryMetadata metadata,
        bool withPermissions,
        ref UnappliedMetadata shortfalls
    )
    {
        if (!withPermissions || metadata.MacAcl is not { } text)
        {
            return;
        }

        const string What = "The access list could not be set";
        nint list = text.Contains('\0') ? 0 : MacLibc.AclFromText(text);
        if (list == 0)
        {
            shortfalls.Add(What, "it is not understood here");
            return;
        }

        string? reason = UnixCalls.Reason(
            handle is null
                ? MacLibc.AclSetLink(fullPath, ExtendedList, list)
                : MacLibc.AclSetFd(handle, list, ExtendedList)
        );
        _ = MacLibc.AclFree(list);
        if (reason is not null)
        {
            shortfalls.Add(What, reason);
        }
    }

    public static void SetFlags(
        SafeFileHandle? handle,
        string fullPath,
        EntryMetadata metadata,
        ref UnappliedMetadata shortfalls
    )
    {
        if (metadata.MacFlags is not { } recorded || (recorded & Settable) is not (> 0 and var flags))
        {
            return;
        }

        if (
            UnixCalls.Reason(handle is null ? MacLibc.LChFlags(fullPath, flags) : MacLibc.FChFlags(handle, flags)) is
            { } reason
        )
        {
            shortfalls.Add("The file flags could not be set", reason);
        }
    }
}
