namespace Restore.Catalog.Locating;

/// <summary>One content with its blocks and their locations, independent of its version.</summary>
/// <param name="Version">A version with only this content.</param>
/// <param name="Content">Its number there.</param>
/// <param name="Locations">The locations of its blocks.</param>
internal sealed record LocatedContent(VersionContent Version, ContentId Content, Locations Locations);
