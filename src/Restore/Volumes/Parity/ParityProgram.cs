using System.Diagnostics;

namespace Restore.Volumes.Parity;

/// <summary>The program par2: where it is, and how it is run.</summary>
internal static class ParityProgram
{
    // On Linux it gets no more memory than this. It does not need more for any length of volume: it works in several passes.
    private const long MaxMemoryKib = 2 << 20;
    private const string MemoryForBuffers = "-m256";
    private const string Shell = "/bin/sh";

    /// <summary>Finds the program: the named one, else the one on the search path; null if there is none.</summary>
    public static string? Find(string? namedPath) =>
        namedPath is null ? SystemPrograms.Find("par2") : File.Exists(namedPath) ? Path.GetFullPath(namedPath) : null;

    /// <summary>Repairs the file with the name <see cref="ParitySet.DataName"/> in a folder, which has the set beside it.</summary>
    /// <returns>Null if the file is sound now; else why not.</returns>
    public static async Task<string?> RepairAsync(string program, string folder, long lengthBytes, CancellationToken cancellationToken)
    {
        TimeSpan limit = TimeSpan.FromSeconds(120 + (lengthBytes >> 19));
        using CancellationTokenSource patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(limit);
        ChildProcess par2 = new(StartInfo(program, folder, lengthBytes, limit), new SecretScrubber().Clean, ownGroup: true);
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

    /// <summary>A shell that limits memory, time and the length of files, and then becomes the program.</summary>
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
        while (await output.ReadAsync(part, cancellationToken).ConfigureAwait(false) > 0)
        {
        }
    }
}

/// <summary>
/// The content of a parity file: packets of PAR 2.0, in any order. Only what decides whether the program may see it is read here: the names and lengths of
/// the files that it would write.
/// </summary>
internal static class ParitySet
{
    public const string DataName = "data";

    private const int HeaderBytes = 64;
    private const int TypeOffset = 48;
    private const int FileLengthOffset = 48;
    private const int NameOffset = 56;

    private static ReadOnlySpan<byte> FileDescription => "PAR 2.0\0FileDesc"u8;

    private static ReadOnlySpan<byte> UnicodeName => "PAR 2.0\0UniFileN"u8;

    /// <summary>
    /// The length of the volume that the packets describe. Every place is looked at where the program could find a packet, so that no set can name another
    /// file than the one of the volume.
    /// </summary>
    /// <exception cref="InvalidDataException">The set describes another file, or none.</exception>
    public static long LengthOfData(ReadOnlySpan<byte> set)
    {
        if (set.IndexOf(UnicodeName) >= 0)
        {
            throw new InvalidDataException("It names files in a way that Duplicati does not use");
        }

        long? length = null;
        for (int at = 0; set[at..].IndexOf(FileDescription) is int next and >= 0; at += next + FileDescription.Length)
        {
            int packet = at + next - TypeOffset;
            ReadOnlySpan<byte> body = BodyOf(set, packet);
            long described = BinaryPrimitives.ReadInt64LittleEndian(body[FileLengthOffset..]);
            if (!body[NameOffset..].TrimEnd((byte)0).SequenceEqual("data"u8) || described <= 0 || (length ?? described) != described)
            {
                throw new InvalidDataException("It describes another file than the volume");
            }

            length = described;
        }

        return length ?? throw new InvalidDataException("It describes no file");
    }

    private static ReadOnlySpan<byte> BodyOf(ReadOnlySpan<byte> set, int packet)
    {
        long length = packet < 0 ? 0 : BinaryPrimitives.ReadInt64LittleEndian(set[(packet + 8)..]);
        return length > HeaderBytes + NameOffset && length <= set.Length - packet
            ? set.Slice(packet + HeaderBytes, (int)length - HeaderBytes)
            : throw new InvalidDataException("It has a broken packet");
    }
}
