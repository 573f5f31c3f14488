namespace Restore.Format;

/// <summary>The <c>manifest</c> entry of a volume: format version and block layout.</summary>
/// <param name="Version">1 (before 2016) or 2.</param>
/// <param name="Layout">Block size and hash algorithms.</param>
internal readonly partial record struct Manifest(int Version, BlockLayout Layout);
