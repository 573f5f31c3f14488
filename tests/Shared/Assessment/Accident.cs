namespace Restore.Tests.Assessment;

/// <summary>Kinds of accidents and attacks.</summary>
internal enum Accident
{
    None,
    EncryptedInPlace,
    EncryptedFolders,
    NewExtension,
    RandomNames,
    Intermittent,
    Slow,
    Deletion,
    DeletedFolders,
    Truncation,
    Placeholders,
    MissingDrive,
    ConflictCopies,
}
