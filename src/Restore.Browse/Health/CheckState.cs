namespace Restore.Browse.Health;

internal enum CheckState
{
    NotStarted,
    Running,
    Done,
    Failed,
}
