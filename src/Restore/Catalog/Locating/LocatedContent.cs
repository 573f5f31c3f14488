namespace Restore.Catalog.Locating;

/// <summary>One content with its blocks and where those are, apart from the version that it was taken from.</summary>
/// <param name="Version">A version of this content alone.</param>
/// <param name="Content">Its number there.</param>
/// <param name="Locations">Where its blocks are.</param>
internal sealed record LocatedContent(VersionContent Version, ContentId Content, Locations Locations);
