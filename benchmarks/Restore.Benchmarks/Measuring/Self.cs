namespace Restore.Benchmarks.Measuring;

/// <summary>How to start this program, and the command line tool that is built with it.</summary>
internal static class Self
{
    /// <summary>Program and arguments before the command.</summary>
    public static IReadOnlyList<string> Command =>
        Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet"
            ? [Environment.ProcessPath!, typeof(Self).Assembly.Location]
            : [Environment.ProcessPath!];

    /// <summary>The tool that was built beside this program.</summary>
    public static string Tool =>
        Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "Restore.Cli.exe" : "Restore.Cli");
}
