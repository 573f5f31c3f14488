namespace Restore;

/// <summary>The counts of one kind of process.</summary>
/// <param name="Process">Name of the process, as in the picture.</param>
/// <param name="Copies">Number of concurrent copies.</param>
/// <param name="Messages">Messages read; for a process without an input, messages written.</param>
/// <param name="Bytes">Bytes in these messages.</param>
/// <param name="Reading">Time that all copies together waited for input, or for their turn to work
/// on it.</param>
/// <param name="Working">Time spent working.</param>
/// <param name="Writing">Time spent waiting to write, or waiting for memory to write into.</param>
public sealed record ProcessProfile(
    string Process,
    int Copies,
    long Messages,
    long Bytes,
    TimeSpan Reading,
    TimeSpan Working,
    TimeSpan Writing
)
{
    /// <summary>One row for each process.</summary>
    internal static IReadOnlyList<ProcessProfile> Merge(IEnumerable<ProcessProfile> profiles) =>
        [
            .. profiles
                .GroupBy(row => row.Process)
                .Select(rows => new ProcessProfile(
                    rows.Key,
                    rows.Max(row => row.Copies),
                    rows.Sum(row => row.Messages),
                    rows.Sum(row => row.Bytes),
                    new TimeSpan(rows.Sum(row => row.Reading.Ticks)),
                    new TimeSpan(rows.Sum(row => row.Working.Ticks)),
                    new TimeSpan(rows.Sum(row => row.Writing.Ticks))
                )),
        ];
}
