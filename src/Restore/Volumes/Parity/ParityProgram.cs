using System.Diagnostics;

namespace Restore.Volumes.Parity;

/// <summary>The program par2: where it is, and how it is run.</summary>
internal static class ParityProgram
{
    // On Linux it gets no more memory than this. It does not need more for any length of volume: it
    // works in several passes.
    private const long MaxMemoryKib = 2 << 20;
    private const string MemoryForBuffers = "-m256";
    private const string Shell = "/bin/sh";

    /// <summary>
    /// Finds the program: the named one, else the one on the search path; null if it does not
    /// exist.
    /// </summary>
    public static string? Find(string? namedPath) =>
        namedPath is null ? SystemPrograms.Find("par2")
        : File.Exists(namedPath) ? Path.GetFullPath(namedPath)
        : null;

    /// <summary>
    /// Repairs the file with the name <see cref="ParitySet.DataName"/> in a folder, which has the
    /// set beside it.
    /// </summary>
    /// <returns>Null if the file is sound now; else why not.</returns>
    public static async Task<string?> RepairAsync(
        string program,
        string folder,
        long lengthBytes,
        CancellationToken cancellationToken
    )
    {
        TimeSpan limit = TimeSpan.FromSeconds(120 + (lengthBytes >> 19));
        using CancellationTokenSource patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(limit);
        ChildProcess par2 = new(
            StartInfo(program, folder, lengthBytes, limit),
            new SecretScrubber().Clean,
            ownGroup: true
        );
        await using (par2.ConfigureAwait(false))
        {
            try
            {
                Task drained = DrainAsync(par2.Output, patience.Token);
                int exitCode = await par2.ExitCodeAsync(patience.Token).ConfigureAwait(false);
                await par2.IsDrainedAsync(drained).ConfigureAwait(false);
                return exitCode switch
                {
                    0 => null,
                    2 => "Too much of the volume is damaged for its parity file",
                    _ => $"par2 ended with code {exitCode} ({par2.LastError()})",
                };
            }
            catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
            {
                par2.Kill();
                return $"par2 did not end within {limit.TotalSeconds:N0} s";
            }
            catch
            {
                par2.Kill();
                throw;
            }
        }
    }

    private static ProcessStartInfo StartInfo(string program, string folder, long lengthBytes, TimeSpan limit)
    {
        string[] repair = ["repair", "-q", "-q", MemoryForBuffers, $"{ParitySet.DataName}.par2"];
        ProcessStartInfo start = File.Exists(Shell)
            ? SystemPrograms.StartInfo(Shell, [.. Limits(lengthBytes, limit), program, .. repair])
            : SystemPrograms.StartInfo(program, repair);
        start.WorkingDirectory = folder;
        start.Environment["LC_ALL"] = "C";

        // Each thread takes address space, which is limited.
        start.Environment["OMP_NUM_THREADS"] = "2";
        start.Environment["MALLOC_ARENA_MAX"] = "2";
        return start;
    }

    /// <summary>
    /// A shell that limits memory, time and the length of files, and then becomes the program.
    /// </summary>
    private static IEnumerable<string> Limits(long lengthBytes, TimeSpan limit) =>
        [
            "-c",
            "ulimit -v \"$1\" 2>/dev/null; ulimit -t \"$2\" && ulimit -f \"$3\" && ulimit -c 0 && shift 3 && exec \"$@\"",
            "sh",
            MaxMemoryKib.ToString(CultureInfo.InvariantCulture),
            ((long)limit.TotalSeconds * 2).ToString(CultureInfo.InvariantCulture),
            ((lengthBytes >> 9) + 1024).ToString(CultureInfo.InvariantCulture),
        ];

    private static async Task DrainAsync(StreamReader output, CancellationToken cancellationToken)
    {
        char[] part = new char[4096];
        while (await output.ReadAsync(part, cancellationToken).ConfigureAwait(false) > 0) { }
    }
}
