namespace Restore;

/// <summary>A file in a store.</summary>
/// <param name="Name">Its name within the folder, without a path.</param>
/// <param name="SizeBytes">Its size in bytes, as the store lists it.</param>
public readonly record struct StoredFile(string Name, long SizeBytes);
