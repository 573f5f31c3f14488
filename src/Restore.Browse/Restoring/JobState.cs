namespace Restore.Browse.Restoring;

internal enum JobState
{
    Planned,
    Running,
    Pausing,
    Paused,
    Stopping,
    Stopped,
    Failed,
    Done,
}
