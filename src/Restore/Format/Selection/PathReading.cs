namespace Restore.Format.Selection;

/// <summary>How path arguments are read.</summary>
/// <param name="OfWindows">For paths of Windows, in which case makes no difference either.</param>
/// <param name="CaseSensitive">Whether case makes a difference.</param>
/// <param name="WithContent">Whether the name of a folder takes what is in it.</param>
internal readonly record struct PathReading(bool OfWindows, bool CaseSensitive, bool WithContent);
