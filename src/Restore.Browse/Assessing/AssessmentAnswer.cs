using Restore.Browse.Health;

namespace Restore.Browse.Assessing;

/// <summary>
/// Empty but for the state and the error until it is done. Recommended is the index of a version.
/// </summary>
internal sealed record AssessmentAnswer(
    CheckState State,
    string? Error,
    IReadOnlyList<VerdictAnswer> Versions,
    int? Recommended,
    string Advice,
    string Examined,
    bool CanTakeLastGood
);
