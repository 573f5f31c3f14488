namespace Restore.Interop;

/// <summary>
/// Finds a library of the system at run time, by its names on Linux, macOS and Windows.
/// </summary>
internal static class NativeLibraryFinder
{
    /// <summary>
    /// Loads the first library that exists and has every function. It stays loaded: decoders of
    /// other restores may use it. <paramref name="bind"/> throws
    /// <see cref="EntryPointNotFoundException"/> if a function is missing.
    /// </summary>
    public static T? TryLoad<T>(ReadOnlySpan<string> fileNames, Func<nint, T> bind)
        where T : class
    {
        foreach (string fileName in fileNames)
        {
            // Safe directories only: on Windows never the current folder, which may be the target
            // of the restore.
            if (
                NativeLibrary.TryLoad(
                    fileName,
                    typeof(NativeLibraryFinder).Assembly,
                    DllImportSearchPath.SafeDirectories,
                    out nint handle
                ) && TryBind(handle, bind) is T library
            )
            {
                return library;
            }
        }

        return null;
    }

    private static T? TryBind<T>(nint handle, Func<nint, T> bind)
        where T : class
    {
        try
        {
            return bind(handle);
        }
        catch (EntryPointNotFoundException)
        {
            return null;
        }
    }
}
