namespace Restore.Tests.Assessment;

/// <summary>What harms the files of the third generator.</summary>
internal enum Attack
{
    None,
    Extension,
    LongExtension,
    OtherNames,
    SameName,
    SameNameAndSize,
    Archives,
    Removed,
    OneFolder,
    Unmounted,
    Placeholders,
    DiskFull,
    DeletionThenEncryption,
    EncryptedOneFolder,
}
