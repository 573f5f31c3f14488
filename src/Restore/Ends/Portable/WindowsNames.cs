using Restore.Format.Selection;

namespace Restore.Ends.Portable;

/// <summary>
/// Refuses names that Windows does not read as a plain file name: devices, drives, other folders,
/// or another name.
/// </summary>
internal static class WindowsNames
{
    private static readonly string[] Devices = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];

    /// <exception cref="IOException">A name must not be used.</exception>
    public static void Check(string path)
    {
        foreach (string name in path.Split('/'))
        {
            if (FaultOf(name) is string fault)
            {
                throw new IOException($"The target path '{path}' cannot be restored on Windows: '{name}' {fault}");
            }
        }
    }

    private static string? FaultOf(string name) =>
        name is [.., '.' or ' '] ? "ends in a dot or a blank, which Windows drops"
        : name.AsSpan().ContainsAny(WindowsPath.ForbiddenInName) ? "has a character that Windows does not allow"
        : IsDevice(name) ? "is the name of a device"
        : null;

    private static bool IsDevice(string name)
    {
        // "nul.txt" and "NUL  .tar.gz" are the device too.
        string stem = name.Split('.')[0].TrimEnd(' ');
        bool isPort =
            stem.Length == 4
            && (
                stem.StartsWith("COM", StringComparison.OrdinalIgnoreCase)
                || stem.StartsWith("LPT", StringComparison.OrdinalIgnoreCase)
            )
            && (char.IsAsciiDigit(stem[3]) || stem[3] is '\u00b9' or '\u00b2' or '\u00b3');
        return isPort || Devices.Contains(stem, StringComparer.OrdinalIgnoreCase);
    }
}
