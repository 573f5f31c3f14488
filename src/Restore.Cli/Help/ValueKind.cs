namespace Restore.Cli.Help;

internal enum ValueKind
{
    /// <summary>A switch.</summary>
    None,

    /// <summary>Nothing: a number, a size, a text.</summary>
    Free,
    File,
    Folder,
    Words,
}
