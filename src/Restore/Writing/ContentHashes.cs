namespace Restore.Writing;

/// <summary>The hashes of a content in a file list: of a file, or of an entry's metadata.</summary>
/// <param name="SizeBytes">Its length.</param>
/// <param name="Hash">Its file hash.</param>
/// <param name="BlockHash">Block hash of its only block if it differs from <paramref name="Hash"/>, else empty.</param>
/// <param name="BlocklistHashes">The concatenated hashes of its blocklists; empty if it has at most one block.</param>
internal readonly record struct ContentHashes(long SizeBytes, byte[] Hash, byte[] BlockHash, byte[] BlocklistHashes);
