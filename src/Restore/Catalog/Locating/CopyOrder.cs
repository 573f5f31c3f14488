using Restore.Volumes;

namespace Restore.Catalog.Locating;

/// <summary>
/// Which of several copies of a block is taken first: by who says where it is, in the order in which these are asked. Index volumes and directories are read
/// side by side, and which of them is through first must make no difference to the plan.
/// </summary>
internal static class CopyOrder
{
    /// <summary>The place that a local database has for the block.</summary>
    public const int Database = 0;

    /// <summary>A further place that a local database knows.</summary>
    public const int DatabaseDuplicate = 1;

    private const int FirstIndex = 2;
    private const int FirstDirectory = 1 << 30;

    /// <summary>A place that an index volume tells.</summary>
    public static int OfIndex(Volume index) => FirstIndex + index.Id;

    /// <summary>A block volume's own directory, read because no index volume told enough.</summary>
    public static int OfDirectory(Volume blocks) => FirstDirectory + blocks.Id;
}
