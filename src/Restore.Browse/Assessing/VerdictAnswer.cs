namespace Restore.Browse.Assessing;

internal sealed record VerdictAnswer(int Index, VersionVerdict Verdict, IReadOnlyList<string> Reasons);
