namespace Restore.Format.Selection;

/// <summary>The system that filter groups are for.</summary>
internal enum FilterGroupSystem
{
    Linux,
    MacOS,
    Windows,
}
