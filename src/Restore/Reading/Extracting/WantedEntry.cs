using Restore.Catalog;
using Restore.Compression;

namespace Restore.Reading.Extracting;

/// <summary>A wanted block, its place in the order of first use, and where the archive has it.</summary>
internal readonly record struct WantedEntry(int Rank, BlockId Block, ArchiveEntry Entry);
