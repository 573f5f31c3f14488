namespace Restore.Tests.Assessment;

/// <summary>Accidents and attacks of the second generator, made without looking at the first.</summary>
internal enum Harm
{
    None,
    InPlace,
    Appended,
    Prefixed,
    RenamedAll,
    ExtensionPerFile,
    SameSize,
    Weeks,
    CopiesThenDeletion,
    LockedArchives,
    Deletion,
    DeletedFolders,
    LostRoot,
    Emptied,
    CutShort,
    StubsOfOneSize,
    StubsOfNames,
    Zeros,
    Conflicts,
}
