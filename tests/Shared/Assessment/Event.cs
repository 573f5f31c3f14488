namespace Restore.Tests.Assessment;

/// <summary>What happens in a week of the third generator and is no accident.</summary>
internal enum Event
{
    Import,
    Reencoded,
    ReencodedInPlace,
    MassRename,
    Branch,
    MailCompacted,
    SystemUpgrade,
    Sidecars,
    PlacesOfPhotos,
    TextOfScans,
    ExportedBeside,
    DuplicatesRemoved,
    OldVersionRemoved,
    ProjectFinished,
    NewMachine,
    Templates,
}
