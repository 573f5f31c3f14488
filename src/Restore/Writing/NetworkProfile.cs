using Restore.Writing.Processes;

namespace Restore.Writing;

/// <summary>What the processes of a backup did: one row for each, and by stages.</summary>
internal sealed record NetworkProfile(IReadOnlyList<ProcessProfile> Processes, IReadOnlyList<StageSpeed> Stages)
{
    /// <summary>
    /// Reading and hashing are one process; the readers say how much of their work was hashing.
    /// </summary>
    public static NetworkProfile Of(IReadOnlyList<ProcessProfile> processes, IReadOnlyList<FileReader> readers)
    {
        if (processes.Count == 0)
        {
            return new NetworkProfile(processes, []);
        }

        ProcessProfile Find(string name) => processes.First(process => process.Process == name);
        ProcessProfile reader = Find("FileReader");
        TimeSpan hashing = new(readers.Sum(copy => copy.Hashing.Ticks));
        long hashed = readers.Sum(copy => copy.HashedBytes);
        TimeSpan reading = reader.Working > hashing ? reader.Working - hashing : TimeSpan.Zero;
        return new NetworkProfile(
            processes,
            [
                Stage(BackupStage.Read, reader) with
                {
                    Bytes = readers.Sum(copy => copy.ReadBytes),
                    Working = reading,
                },
                Stage(BackupStage.Hash, reader) with
                {
                    Bytes = hashed,
                    Working = hashing,
                },
                Stage(BackupStage.Compress, Find("BlockCompressor")),
                Stage(BackupStage.Encrypt, Find("VolumeEncryptor")),
                Stage(BackupStage.Upload, Find("VolumeWriter")),
            ]
        );
    }

    private static StageSpeed Stage(BackupStage stage, ProcessProfile process) =>
        new(stage, process.Copies, process.Bytes, process.Working, process.Reading + process.Writing);
}
