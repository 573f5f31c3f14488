namespace Restore.Tests.Assessment;

/// <summary>Kinds of normal life of a backup.</summary>
internal enum Life
{
    Office,
    Photos,
    Source,
    Mail,
    Database,
    LibraryMove,
    Upgrade,
    Conversion,
    YearArchive,
    RotatedLogs,
    MachineImages,
    NewDisk,
    Caches,
    Mixed,
}
