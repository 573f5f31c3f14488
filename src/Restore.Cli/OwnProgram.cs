using System.Diagnostics;
using Restore.Interop;

namespace Restore.Cli;

/// <summary>This program again, as another process with the command line of this one.</summary>
internal static class OwnProgram
{
    // The passphrase is handed over in a variable, which others cannot see. Each takes a value.
    private static readonly string[] PassphraseOptions = ["--passphrase-file", "--passphrase-command", "--passphrase"];

    /// <param name="without">Options that belong to this process alone; each takes a value.</param>
    /// <param name="passphrase">The passphrase, however this process got it; null if there is
    /// none.</param>
    public static ProcessStartInfo StartInfo(IEnumerable<string> without, string? passphrase)
    {
        string[] own = [.. PassphraseOptions, .. without];
        var program = Environment.ProcessPath!;
        var given = Environment.GetCommandLineArgs();

        // Under the dotnet host, the program is its first argument. It is this program again, so it
        // gets all variables.
        string[] first = Path.GetFileNameWithoutExtension(program) == "dotnet" ? [given[0]] : [];
        var start = SystemPrograms.StartInfo(program, first, alsoPassed: _ => true);
        for (var i = 1; i < given.Length; i++)
        {
            var isOwn = own.Contains(given[i].Split('=')[0], StringComparer.OrdinalIgnoreCase);
            if (!isOwn)
            {
                start.ArgumentList.Add(given[i]);
            }

            // The value of an option that is left out is left out too.
            i += isOwn && !given[i].Contains('=', StringComparison.Ordinal) ? 1 : 0;
        }

        if (passphrase is not null)
        {
            start.Environment["PASSPHRASE"] = passphrase;
        }

        return start;
    }
}
