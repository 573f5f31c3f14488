using System.Text.Json;

namespace Restore.Cli.Rendering;

/// <summary>
/// The drills of a backup over the years, in one page that draws them. The page has the numbers of
/// each drill as JSON too, and the next drill reads them from there.
/// </summary>
internal static class DrillHistory
{
    public const string Option = "--history";

    // One each night for two years, one each month for sixty.
    private const int MostDrills = 730;
    private const int LongestPageBytes = 4 << 20;

    private const string Start = "<script type=\"application/json\" id=\"drills\">";
    private const string End = "</script>";

    /// <summary>The drills of a page, in the order of their times; none without a page.</summary>
    /// <exception cref="UsageException">The file is something else, and stays as it is.</exception>
    public static IReadOnlyList<DrillRecord> Read(string path)
    {
        if (!File.Exists(path))
        {
            return [];
        }

        try
        {
            var page = new FileInfo(path).Length > LongestPageBytes ? "" : File.ReadAllText(path);
            var start = page.IndexOf(Start, StringComparison.Ordinal);
            var end = start < 0 ? -1 : page.IndexOf(End, start, StringComparison.Ordinal);
            if (end < 0)
            {
                throw new FormatException("There are no drills in it");
            }

            return
            [
                .. (JsonNode.Parse(page[(start + Start.Length)..end]) as JsonArray ?? [])
                    .Select(DrillRecord.Parse)
                    .OrderBy(drill => drill.Time),
            ];
        }
        catch (Exception failure) when (failure is FormatException or JsonException)
        {
            throw new UsageException($"{Option}: {path} is something else than a history of drills; give another name");
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"{Option}: {path} cannot be read ({failure.Message})");
        }
    }

    /// <summary>Writes the page of these drills and one more.</summary>
    public static void Write(
        TextWriter page,
        IReadOnlyList<DrillRecord> earlier,
        DrillRecord newest,
        TimeProvider clock
    )
    {
        DrillRecord[] drills = [.. earlier.Append(newest).TakeLast(MostDrills)];
        DrillHistoryPage.Write(page, drills, clock);

        // The default encoder writes < and > as numbers, so no text can end the element.
        page.WriteLine(
            Start + new JsonArray([.. drills.Select(drill => (JsonNode)drill.ToJson())]).ToJsonString() + End
        );
        page.WriteLine("</body>\n</html>");
    }
}
