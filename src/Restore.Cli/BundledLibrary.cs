using System.Collections.Concurrent;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Runtime.Loader;
using Microsoft.Win32.SafeHandles;
using Restore.Cli.Interop;

namespace Restore.Cli;

/// <summary>
/// Loads the native library inside the published program at its first call, so that a restore
/// without a database neither unpacks it nor needs a place for it.
/// </summary>
internal sealed class BundledLibrary(Func<string, Stream?> find)
{
    private const string FolderPrefix = "restore-library-";

    // A path has at most 4,096 bytes.
    private const int MaxSlashes = 4000;

    // Windows adds .dll to a name without an extension.
    private const string FileName = "library.dll";

    // The runtime asks again for each function of a library. All calls must get the same copy,
    // since its functions share state.
    private readonly ConcurrentDictionary<string, Lazy<nint>> loaded = new(StringComparer.Ordinal);

    /// <summary>
    /// Makes the libraries among the resources available to all code that calls them. Libraries on
    /// the disk take precedence.
    /// </summary>
    public static void Register()
    {
        BundledLibrary bundled = new(Assembly.GetExecutingAssembly().GetManifestResourceStream);
        AssemblyLoadContext.Default.ResolvingUnmanagedDll += (_, name) => bundled.Resolve(name);
    }

    /// <summary>
    /// Always the same library for a name; 0 if it is not inside, or the system does not load it.
    /// Then the call of the library fails; an exception here would end the program without a word.
    /// </summary>
    public nint Resolve(string name) => loaded.GetOrAdd(name, name => new Lazy<nint>(() => TryLoad(name))).Value;

    private nint TryLoad(string name)
    {
        try
        {
            return find(name) is { } content ? Load(content) : 0;
        }
        catch (Exception failure)
            when (failure
                    is IOException
                        or UnauthorizedAccessException
                        or DllNotFoundException
                        or BadImageFormatException
            )
        {
            return 0;
        }
    }

    /// <summary>
    /// Loads a library: on Linux from memory, which works on read-only and <c>noexec</c> file
    /// systems, elsewhere from a temporary file.
    /// </summary>
    private static nint Load(Stream content)
    {
        using (content)
        {
            return OperatingSystem.IsLinux() && LoadFromMemory(content) is var library and not 0
                ? library
                : LoadFromFile(content);
        }
    }

    /// <summary>0 if the system does not run code from such a file.</summary>
    internal static nint LoadFromMemory(Stream content)
    {
        // A file without a name, which the loader opens by its descriptor. The library stays mapped
        // after the descriptor is closed.
        var descriptor = HostLibc.MemFdCreate(FolderPrefix, flags: 0);
        if (descriptor < 0)
        {
            return 0;
        }

        using SafeFileHandle handle = new(descriptor, ownsHandle: true);
        using FileStream file = new(handle, FileAccess.Write, bufferSize: 0);
        content.Position = 0;
        content.CopyTo(file);

        // The loader gives a library that it has under the same path already, and the number of a
        // closed descriptor comes again. More slashes are another path to the same file.
        var slashes = new string('/', Random.Shared.Next(1, MaxSlashes));
        return NativeLibrary.TryLoad($"/proc/self/fd{slashes}{descriptor}", out var library) ? library : 0;
    }

    internal static nint LoadFromFile(Stream content)
    {
        RemoveLeftFolders();
        var folder = Directory.CreateTempSubdirectory(FolderPrefix).FullName;
        var path = Path.Combine(folder, FileName);
        using (var file = File.Create(path))
        {
            content.Position = 0;
            content.CopyTo(file);
        }

        try
        {
            return NativeLibrary.Load(path);
        }
        finally
        {
            TryRemove(folder);
        }
    }

    /// <summary>
    /// Windows keeps the file of a library that is in use: a later process removes it. A new folder
    /// may belong to a starting process.
    /// </summary>
    private static void RemoveLeftFolders()
    {
        if (OperatingSystem.IsWindows())
        {
            var limit = TimeProvider.System.GetUtcNow().AddHours(-1);
            var left = Directory
                .GetDirectories(Path.GetTempPath(), FolderPrefix + "*")
                .Where(folder => Directory.GetCreationTimeUtc(folder) < limit);
            Array.ForEach([.. left], TryRemove);
        }
    }

    private static void TryRemove(string folder)
    {
        try
        {
            Directory.Delete(folder, recursive: true);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // In use.
        }
    }
}
