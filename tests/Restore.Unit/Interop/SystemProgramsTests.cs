using System.Diagnostics;
using Restore.Interop;

namespace Restore.Tests.Interop;

/// <summary>Which programs are found, and what they see of the environment.</summary>
public sealed class SystemProgramsTests
{
    [Fact]
    public void A_program_gets_the_variables_it_needs_and_no_other()
    {
        // A variable that no other test uses: the environment belongs to the whole process.
        Environment.SetEnvironmentVariable("RESTORE_TESTS_TOKEN", "secret");

        ProcessStartInfo start = SystemPrograms.StartInfo("/bin/true", []);

        Assert.Equal(Environment.GetEnvironmentVariable("PATH"), start.Environment["PATH"]);
        Assert.False(start.Environment.ContainsKey("RESTORE_TESTS_TOKEN"));
        Assert.True(
            SystemPrograms
                .StartInfo("/bin/true", [], name => name == "RESTORE_TESTS_TOKEN")
                .Environment.ContainsKey("RESTORE_TESTS_TOKEN")
        );
    }

    [Fact]
    public void A_program_is_found_only_in_folders_whose_path_is_full()
    {
        using var folder = new TempFolder();
        string name = OperatingSystem.IsWindows() ? "tool.exe" : "tool";
        string path = Path.Combine(folder.Path, name);
        File.WriteAllText(path, "");

        // On Windows from one drive to another there is no relative path; without its drive it
        // depends on where the program was started, too.
        string relative = OperatingSystem.IsWindows()
            ? folder.Path[2..]
            : Path.GetRelativePath(Environment.CurrentDirectory, folder.Path);

        Assert.Equal(path, SystemPrograms.Find("tool", string.Join(Path.PathSeparator, relative, folder.Path)));
        Assert.Null(SystemPrograms.Find("tool", string.Join(Path.PathSeparator, relative, ".", "")));
    }

    [Fact]
    public void A_path_of_a_program_is_not_searched_for()
    {
        using var folder = new TempFolder();
        string path = Path.Combine(folder.Path, "tool");
        File.WriteAllText(path, "");

        Assert.Equal(path, SystemPrograms.Find(path, searchPath: ""));
        Assert.Null(SystemPrograms.Find(Path.Combine(folder.Path, "other"), folder.Path));
    }
}
