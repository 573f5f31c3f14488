using Restore.Catalog;
using Restore.Compression;

namespace Restore.Reading.Extracting;

/// <summary>A needed block, its index in the order of first use, and its entry in the archive.</summary>
internal readonly record struct WantedEntry(int Rank, BlockId Block, ArchiveEntry Entry);
