namespace Restore.Csp;

/// <summary>A message that knows how much it carries, for the profile.</summary>
internal interface IMeasured
{
    long Bytes { get; }
}
