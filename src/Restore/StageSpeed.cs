namespace Restore;

/// <summary>
/// What one stage of a backup did. Reading and hashing are done by the same process, one after the
/// other.
/// </summary>
/// <param name="Stage">The stage.</param>
/// <param name="Copies">How many of it there were.</param>
/// <param name="Bytes">Bytes that went in.</param>
/// <param name="Working">Time in which the copies worked, in sum.</param>
/// <param name="Waiting">Time in which they waited for the stages before and after them, in
/// sum.</param>
public sealed record StageSpeed(BackupStage Stage, int Copies, long Bytes, TimeSpan Working, TimeSpan Waiting)
{
    /// <summary>The share of the time in which the copies worked, from 0 to 1.</summary>
    public double Busy => Working + Waiting > TimeSpan.Zero ? Working / (Working + Waiting) : 0;
}
