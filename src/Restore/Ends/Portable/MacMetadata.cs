using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;
using Restore.Ends.Unix;
using Restore.Format;

namespace Restore.Ends.Portable;

/// <summary>Access lists and file flags, which only macOS has.</summary>
[SupportedOSPlatform("macos")]
internal static partial class MacMetadata
{
    private const int ExtendedList = 0x100;

    // UF_NODUMP, UF_IMMUTABLE, UF_APPEND, UF_OPAQUE, UF_HIDDEN: the other flags belong to the super-user or the system.
    private const uint Settable = 0x1 | 0x2 | 0x4 | 0x8 | 0x8000;

    public static void Apply(SafeFileHandle? handle, string fullPath, EntryMetadata metadata, bool withPermissions, ref Shortfalls shortfalls)
    {
        if (!withPermissions || metadata.MacAcl is not { } text)
        {
            return;
        }

        const string What = "The access list could not be set";
        nint list = text.Contains('\0') ? 0 : ListFromText(text);
        if (list == 0)
        {
            shortfalls.Add(What, "it is not understood here");
            return;
        }

        string? reason = UnixCalls.Reason(handle is null ? SetListOfPath(fullPath, ExtendedList, list) : SetListOfHandle(handle, list, ExtendedList));
        _ = FreeList(list);
        if (reason is not null)
        {
            shortfalls.Add(What, reason);
        }
    }

    public static void SetFlags(SafeFileHandle? handle, string fullPath, EntryMetadata metadata, ref Shortfalls shortfalls)
    {
        if (metadata.MacFlags is not { } recorded || (recorded & Settable) is not (> 0 and var flags))
        {
            return;
        }

        if (UnixCalls.Reason(handle is null ? SetFlagsOfPath(fullPath, flags) : SetFlagsOfHandle(handle, flags)) is { } reason)
        {
            shortfalls.Add("The file flags could not be set", reason);
        }
    }

    [LibraryImport("libc", EntryPoint = "acl_from_text", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint ListFromText(string text);

    [LibraryImport("libc", EntryPoint = "acl_set_link_np", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int SetListOfPath(string path, int kind, nint list);

    [LibraryImport("libc", EntryPoint = "acl_set_fd_np", SetLastError = true)]
    private static partial int SetListOfHandle(SafeFileHandle handle, nint list, int kind);

    [LibraryImport("libc", EntryPoint = "acl_free")]
    private static partial int FreeList(nint list);

    [LibraryImport("libc", EntryPoint = "lchflags", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int SetFlagsOfPath(string path, uint flags);

    [LibraryImport("libc", EntryPoint = "fchflags", SetLastError = true)]
    private static partial int SetFlagsOfHandle(SafeFileHandle handle, uint flags);
}
