namespace Restore.Cli.Rendering.Completion;

/// <summary>What a shell can offer as the value of an option.</summary>
internal enum ValueKind
{
    /// <summary>The option is a switch.</summary>
    None,

    /// <summary>Nothing: a number, a size, a text.</summary>
    Free,

    /// <summary>Files.</summary>
    File,

    /// <summary>Folders.</summary>
    Folder,

    /// <summary>One of a few words.</summary>
    Words,
}
