namespace Restore.Restoring;

internal sealed class FileWork : Batch<WorkItem>;
