using Restore.Benchmarks.Data;
using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks.Start;

/// <summary>
/// Makes the profile by which the published program is compiled ahead: what the tool that is built with this program compiles when it starts, lists and
/// restores, without the methods that are not generic, because those are compiled ahead anyway; and what a program that was published without a profile
/// compiles, which adds methods of the runtime's own libraries.
/// </summary>
internal static class ProfileCommand
{
    private const string Passphrase = "benchmark";

    public static async Task<int> RunAsync(Arguments arguments, TextWriter output)
    {
        string path = Path.GetFullPath(arguments.Positional(0, "the profile to write"));
        string? published = arguments.Text("published");
        arguments.RequireAllUsed();
        StartProfile profile = new(AppContext.BaseDirectory);
        string work = Directory.CreateTempSubdirectory("restore-profile-").FullName;
        try
        {
            HashSet<string> lines = [];
            foreach (DataSet set in new[] { DataSet.Named("many") with { Files = 100 }, DataSet.Named("small-text").Scale(0.02) })
            {
                lines.UnionWith((await CompiledAsync(Self.Tool, set, work)).Where(line => JittedMethod.Parse(line) is { IsInstance: true }));
                lines.UnionWith(published is null ? [] : await CompiledAsync(published, set, work));
            }

            foreach (JittedMethod method in lines.Select(JittedMethod.Parse).OfType<JittedMethod>())
            {
                profile.Add(method);
            }
        }
        finally
        {
            Directory.Delete(work, recursive: true);
        }

        profile.Write(path);
        await output.WriteLineAsync($"{profile.Count} methods");
        return 0;
    }

    /// <summary>What the runtime says that it compiled, in several runs on a data set.</summary>
    private static async Task<IEnumerable<string>> CompiledAsync(string program, DataSet set, string work)
    {
        string folder = Path.Combine(work, Path.GetFileName(program), set.Name);
        string source = Path.Combine(folder, "source");
        string backup = Path.Combine(folder, "backup");
        string database = Path.Combine(folder, "database.sqlite");
        string list = Path.Combine(folder, "methods.txt");
        string output = Path.Combine(folder, "output.txt");
        Directory.CreateDirectory(folder);
        await PreparedSet.GenerateAsync(set, source, output);
        await PreparedSet.RunAsync([.. Self.Command, "backup", source, backup, $"--passphrase={Passphrase}"], output);
        Dictionary<string, string> environment = new()
        {
            ["PASSPHRASE"] = Passphrase,
            ["DOTNET_JitDisasmSummary"] = "1",
            ["DOTNET_JitStdOutFile"] = list,
        };
        List<string> lines = [];
        foreach (string[] command in new string[][]
        {
            ["versions", backup],
            ["ls", backup],
            ["verify", backup],
            [backup, $"--restore-path={Path.Combine(folder, "one")}"],
            [backup, $"--restore-path={Path.Combine(folder, "one")}", "--overwrite", "--quiet"],
            ["database", backup, $"--output={database}"],
            [backup, $"--restore-path={Path.Combine(folder, "two")}", $"--dbpath={database}", "--no-sync", "--quiet"],
        })
        {
            Usage usage = ChildProcess.Run([program, .. command], output, environment);
            if (usage.ExitCode != 0)
            {
                throw new SuiteException($"{string.Join(' ', command)} ended with {usage.ExitCode}.\n{await File.ReadAllTextAsync(output)}");
            }

            lines.AddRange(await File.ReadAllLinesAsync(list));
            File.Delete(list);
        }

        // The runtime numbers the lines, and tells lengths behind the names.
        return lines.Where(line => line.Contains(" [", StringComparison.Ordinal))
            .Select(line => line[(line.IndexOf(':', StringComparison.Ordinal) + 1)..(line.LastIndexOf(" [", StringComparison.Ordinal) + 2)]);
    }
}
