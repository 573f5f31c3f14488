using System.Globalization;

namespace Restore.Benchmarks.Roofline;

/// <summary>
/// The parts, measured once, and the wall time that they allow at best: the larger of their
/// processor time on all cores and the time of the device. Of the two ways to write it takes the
/// faster one.
/// </summary>
internal sealed record RooflineRun(int Cores, IReadOnlyList<RooflinePart> Parts)
{
    /// <summary>The least wall time of a verified restore of these bytes on this machine.</summary>
    public TimeSpan Wall
    {
        get
        {
            TimeSpan others = TimeSpan.Zero;
            foreach (RooflinePart part in Parts.Where(part => !IsWriting(part)))
            {
                others += part.Processor;
            }

            return Parts.Where(IsWriting).Min(write => Larger((others + write.Processor) / Cores, write.Wall));
        }
    }

    public RooflinePart this[string name] => Parts.Single(part => part.Name == name);

    /// <summary>The parts as lines of text, for <see cref="Parse"/>.</summary>
    public static IEnumerable<string> Format(IEnumerable<RooflinePart> parts) =>
        parts.Select(part =>
            string.Create(
                CultureInfo.InvariantCulture,
                $"{part.Name}\t{part.Processor.Ticks}\t{part.Wall.Ticks}\t{part.Bytes}"
            )
        );

    /// <exception cref="FormatException">These are not such lines.</exception>
    public static RooflineRun Parse(IEnumerable<string> lines, int cores) =>
        new(
            cores,
            [
                .. lines
                    .Select(line => line.Split('\t'))
                    .Select(fields => new RooflinePart(
                        fields[0],
                        Ticks(fields[1]),
                        Ticks(fields[2]),
                        long.Parse(fields[3], CultureInfo.InvariantCulture)
                    )),
            ]
        );

    private static bool IsWriting(RooflinePart part) =>
        part.Name is RooflinePart.WriteCached or RooflinePart.WriteDirect;

    private static TimeSpan Larger(TimeSpan one, TimeSpan other) => one > other ? one : other;

    private static TimeSpan Ticks(string text) => new(long.Parse(text, CultureInfo.InvariantCulture));
}
