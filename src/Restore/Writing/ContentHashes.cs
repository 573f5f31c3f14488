namespace Restore.Writing;

/// <summary>What a file list says of a content: of a file, or of an entry's metadata.</summary>
/// <param name="SizeBytes">Its length.</param>
/// <param name="Hash">Its file hash.</param>
/// <param name="BlockHash">Block hash of its only block when that is another than <paramref name="Hash"/>, else empty.</param>
/// <param name="BlocklistHashes">The hashes of its blocklists one after the other; empty when it is at most one block.</param>
internal readonly record struct ContentHashes(long SizeBytes, byte[] Hash, byte[] BlockHash, byte[] BlocklistHashes);
