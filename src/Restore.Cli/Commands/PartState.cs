namespace Restore.Cli.Commands;

internal enum PartState
{
    Ok,

    /// <summary>A restore works without it; the text says what does not.</summary>
    Missing,

    /// <summary>A restore will fail, or cannot be trusted.</summary>
    Wrong,
}
