using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

internal static partial class Windows
{
    /// <summary>Null if the file system does not say.</summary>
    public static int? LinkCount(SafeFileHandle handle) =>
        GetFileInformationByHandle(handle, out FileInformation information) ? (int)information.LinkCount : null;

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool GetFileInformationByHandle(SafeFileHandle handle, out FileInformation information);

    [StructLayout(LayoutKind.Explicit, Size = 52)]
    private struct FileInformation
    {
        [FieldOffset(40)]
        public uint LinkCount;
    }
}
