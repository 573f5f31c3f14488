namespace Restore.Ends;

/// <summary>
/// The rules for target paths. Every target checks them again, independent of the path mapper.
/// </summary>
internal static class TargetPath
{
    /// <summary>
    /// NAME_MAX of Linux and macOS; Windows allows 255 UTF-16 units, which are at least as many
    /// bytes.
    /// </summary>
    public const int MaxNameBytes = NativeText.NameBytes - 1;

    /// <summary>
    /// PATH_MAX of Linux with its final NUL: the system accepts no longer path in one call.
    /// </summary>
    public const int MaxPathBytes = NativeText.PathBytes - 1;

    /// <summary>
    /// Refuses a path that could leave the target or that no file system accepts.
    /// </summary>
    /// <exception cref="IOException">The path is refused.</exception>
    public static void Check(string path, bool orRoot = false)
    {
        if (orRoot && path.Length == 0)
        {
            return;
        }

        if (
            path.Length > MaxPathBytes
            || (path.Length > MaxPathBytes / 3 && Encoding.UTF8.GetByteCount(path) > MaxPathBytes)
        )
        {
            throw Refused(path[..60] + "...", $"is longer than {MaxPathBytes} bytes");
        }

        if (HasHalfCharacter(path))
        {
            throw Refused(path, "has half of a character (a lone surrogate)");
        }

        ReadOnlySpan<char> rest = path;
        while (true)
        {
            int end = rest.IndexOf('/');
            CheckName(end < 0 ? rest : rest[..end], path);
            if (end < 0)
            {
                return;
            }

            rest = rest[(end + 1)..];
        }
    }

    /// <summary>Refuses the target of a link that no link can have.</summary>
    /// <exception cref="IOException">The target is refused.</exception>
    public static void CheckLinkTarget(string place, string linkTarget)
    {
        if (
            linkTarget.Length == 0
            || linkTarget.Contains('\0')
            || HasHalfCharacter(linkTarget)
            || Encoding.UTF8.GetByteCount(linkTarget) > MaxPathBytes
        )
        {
            throw new IOException(
                $"The link '{place}' could not be created: its target is empty, too long, or not sound text"
            );
        }
    }

    public static ReadOnlySpan<char> Split(string path, out ReadOnlySpan<char> name)
    {
        int slash = path.LastIndexOf('/');
        name = path.AsSpan(slash + 1);
        return path.AsSpan(0, Math.Max(slash, 0));
    }

    /// <summary>
    /// The temporary name of the copy that replaces a file with several names before it is patched.
    /// It follows from the name of the file, so what a killed run left is replaced when the file is
    /// patched again.
    /// </summary>
    public static string NameOfCopy(string name) =>
        $".restore-{Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(name)).AsSpan(0, 16))}";

    private static bool HasHalfCharacter(ReadOnlySpan<char> path)
    {
        int at = path.IndexOfAnyInRange('\uD800', '\uDFFF');
        while (at >= 0 && Rune.DecodeFromUtf16(path[at..], out _, out int length) == OperationStatus.Done)
        {
            path = path[(at + length)..];
            at = path.IndexOfAnyInRange('\uD800', '\uDFFF');
        }

        return at >= 0;
    }

    private static void CheckName(ReadOnlySpan<char> name, string path)
    {
        string? fault = name switch
        {
            "" => "has an empty component",
            "." or ".." => "has a component '.' or '..'",
            _ when name.Contains('\0') => "has a NUL in it",
            _ when name.Length > MaxNameBytes / 3 && Encoding.UTF8.GetByteCount(name) > MaxNameBytes =>
                $"has a name longer than {MaxNameBytes} bytes",
            _ => null,
        };
        if (fault is not null)
        {
            throw Refused(path, fault);
        }
    }

    private static IOException Refused(string path, string fault) =>
        new($"The target path '{path.Replace("\0", "\\0", StringComparison.Ordinal)}' {fault}; it is not restored");
}
