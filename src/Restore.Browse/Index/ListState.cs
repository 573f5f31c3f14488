namespace Restore.Browse.Index;

internal enum ListState
{
    Unread,
    Reading,
    Read,
    Failed,
}
