namespace Restore.Maintenance;

/// <summary>A version without its file list.</summary>
/// <param name="Version">The version.</param>
/// <param name="Files">Its files.</param>
/// <param name="Bytes">Their length.</param>
/// <param name="FilesOnlyThere">Of those, files that the version before and the version after do
/// not have in the same state. A neighbour that is lost too does not count.</param>
/// <param name="BytesOnlyThere">Their length.</param>
public sealed record AffectedVersion(
    BackupVersion Version,
    long Files,
    long Bytes,
    long FilesOnlyThere,
    long BytesOnlyThere
);
