namespace Restore.Cli.Commands;

internal enum PartState
{
    Ok,

    /// <summary>A restore works without it; the text says what needs it.</summary>
    Missing,

    /// <summary>A restore will fail, or cannot be trusted.</summary>
    Wrong,
}
