namespace Restore.Mount;

/// <summary>A backup cannot be mounted.</summary>
internal sealed class MountException(MountProblem problem, string message, string? advice = null) : Exception(message)
{
    public MountProblem Problem => problem;

    /// <summary>What to do; null if the message says it.</summary>
    public string? Advice => advice;
}
