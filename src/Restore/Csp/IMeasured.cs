namespace Restore.Csp;

/// <summary>A message that knows how much it carries, for the profile.</summary>
internal interface IMeasured
{
    /// <summary>Bytes of content carried.</summary>
    long Bytes { get; }
}
