using System.Runtime.InteropServices;

namespace Restore.Interop;

/// <summary>Finds a library of the system at run time, by the names it has on Linux, macOS and Windows.</summary>
internal static class NativeLibraryFinder
{
    /// <summary>Loads the first of the libraries that is there and has every function; null when there is none.</summary>
    /// <param name="fileNames">Its names, the usual one first. A library once loaded stays loaded: decoders of other runs may be using it.</param>
    /// <param name="bind">Makes the object that calls it; throws <see cref="EntryPointNotFoundException"/> when a function is missing.</param>
    public static T? TryLoad<T>(ReadOnlySpan<string> fileNames, Func<nint, T> bind)
        where T : class
    {
        foreach (string fileName in fileNames)
        {
            // Safe directories: on Windows never the current folder, which may be the one that a backup is being restored into.
            if (NativeLibrary.TryLoad(fileName, typeof(NativeLibraryFinder).Assembly, DllImportSearchPath.SafeDirectories, out nint handle)
                && TryBind(handle, bind) is T library)
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
