namespace Restore.Planning;

internal enum EntryAction : byte
{
    /// <summary>Nothing: the entry was refused.</summary>
    None,

    /// <summary>
    /// Make it under a partial name, and give it the path, which is free, once it is verified.
    /// </summary>
    Create,

    /// <summary>
    /// Make it under a partial name, and rename it over what is at the path once it is verified.
    /// </summary>
    Replace,

    /// <summary>Write the wrong blocks of the file at the path.</summary>
    Patch,

    /// <summary>The content is right already; only metadata is applied.</summary>
    Keep,
}
