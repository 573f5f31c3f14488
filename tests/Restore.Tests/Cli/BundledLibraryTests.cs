using System.Runtime.InteropServices;
using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>
/// A native library that is inside of the program is loaded without a file that stays.
/// </summary>
public sealed class BundledLibraryTests
{
    private static readonly string Sqlite = Directory
        .GetFiles(
            Path.Combine(AppContext.BaseDirectory, "runtimes", System),
            "*e_sqlite3.*",
            SearchOption.AllDirectories
        )
        .Single();

    private static string System =>
        $"{(OperatingSystem.IsWindows() ? "win" : OperatingSystem.IsMacOS() ? "osx" : "linux")}-{RuntimeInformation.ProcessArchitecture}".ToLowerInvariant();

    [Fact]
    public void A_library_is_loaded_from_memory_on_Linux()
    {
        using var content = File.OpenRead(Sqlite);
        Assert.Equal(
            OperatingSystem.IsLinux(),
            Works(OperatingSystem.IsLinux() ? BundledLibrary.LoadFromMemory(content) : 0)
        );
    }

    [Fact]
    public void A_library_is_loaded_from_a_temporary_file_elsewhere()
    {
        var before = Left();
        using var content = File.OpenRead(Sqlite);
        Assert.True(Works(BundledLibrary.LoadFromFile(content)));
        Assert.Equal(OperatingSystem.IsWindows() ? before + 1 : before, Left());
    }

    [Fact]
    public void A_library_is_loaded_once_however_often_it_is_requested()
    {
        BundledLibrary bundled = new(name => name == "e_sqlite3" ? File.OpenRead(Sqlite) : null);
        var library = bundled.Resolve("e_sqlite3");
        Assert.True(Works(library));
        Assert.Equal(library, bundled.Resolve("e_sqlite3"));
        Assert.Equal(0, bundled.Resolve("libc"));
    }

    [Fact]
    public void What_the_system_does_not_load_is_no_library_and_no_exception()
    {
        BundledLibrary bundled = new(_ => new MemoryStream("no library"u8.ToArray()));
        Assert.Equal(0, bundled.Resolve("e_sqlite3"));
    }

    private static int Left() => Directory.GetDirectories(Path.GetTempPath(), "restore-library-*").Length;

    private static bool Works(nint library) =>
        library != 0 && NativeLibrary.TryGetExport(library, "sqlite3_open_v2", out _);
}
