namespace Restore.Catalog.Locating;

/// <summary>
/// Which of several copies of a block is tried first: the one from the cheapest source. Index
/// volumes and directories are read concurrently, and the order in which they complete must not
/// change the plan.
/// </summary>
internal static class CopyOrder
{
    public const int Database = 0;

    public const int DatabaseDuplicate = 1;

    private const int FirstIndex = 2;
    private const int FirstDirectory = 1 << 30;

    public static int OfIndex(Volume index) => FirstIndex + index.Id;

    /// <summary>
    /// A block volume's own directory, read because the index volumes were incomplete.
    /// </summary>
    public static int OfDirectory(Volume blocks) => FirstDirectory + blocks.Id;
}
