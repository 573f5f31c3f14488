namespace Restore.Planning.Paths;

/// <summary>The system that a path of a backup belongs to.</summary>
internal enum PathStyle : byte
{
    None,

    Unix,

    /// <summary>The path begins with a drive (<c>C:\</c>) or a share (<c>\\server\</c>).</summary>
    Windows,
}
