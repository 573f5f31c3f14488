namespace Restore.Targets;

internal enum TargetKind : byte
{
    Nothing,
    File,
    Folder,
    Symlink,
    Other,
}
