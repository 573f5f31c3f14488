namespace Restore.Tests.Assessment;

/// <summary>What an accident did to the files of a made history.</summary>
/// <param name="Hit">The files as they were before.</param>
/// <param name="Bad">The contents that it made.</param>
/// <param name="GoesOn">Whether it went on in the next version.</param>
/// <param name="Text">What it was like.</param>
internal sealed record TrialHarm(Dictionary<string, MadeFile> Hit, HashSet<ulong> Bad, bool GoesOn, string Text);
