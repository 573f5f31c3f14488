namespace Restore.Tests.Assessment;

/// <summary>What happens now and then in normal life, and changes much at once.</summary>
internal enum Burst
{
    PhotoImport,
    BranchSwitch,
    PackagesAdded,
    PackagesRemoved,
    PicturesToWebp,
    DocToDocx,
    LibraryRenamed,
    YearZipped,
    PhotosEdited,
    OldBackupReturned,
    ClockSetBack,
    DaylightSaving,
    MusicTagged,
    YearOfLicense,
    LineEndings,
    DownloadsCleaned,
    ProjectAdded,
    FoldersNested,
    ProgramUpgraded,
    ScansAdded,
    MailCompacted,
}
