namespace Restore.Cli.Rendering;

/// <summary>How much of a report is printed.</summary>
internal enum ReportSize
{
    /// <summary>
    /// On a terminal: every loss by name if there are few, else losses by folder and volume, in few
    /// lines.
    /// </summary>
    Screen,

    /// <summary>To another program or a file: every loss, and some of the warnings.</summary>
    Stream,

    All,
}
