namespace Restore.Writing;

/// <summary>
/// What one stage of a backup did. Reading and hashing are done by the same process, one after the
/// other.
/// </summary>
/// <param name="Stage">The stage.</param>
/// <param name="Copies">The number of copies of the stage.</param>
/// <param name="Bytes">Bytes that went in.</param>
/// <param name="Working">Total time that the copies worked.</param>
/// <param name="Waiting">Total time that the copies waited for the stages before and after
/// them.</param>
public sealed record StageSpeed(BackupStage Stage, int Copies, long Bytes, TimeSpan Working, TimeSpan Waiting)
{
    /// <summary>The share of the time in which the copies worked, from 0 to 1.</summary>
    public double Busy => Working + Waiting > TimeSpan.Zero ? Working / (Working + Waiting) : 0;
}
