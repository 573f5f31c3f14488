namespace Restore;

/// <summary>A version without its file list.</summary>
/// <param name="Version">The version.</param>
/// <param name="Files">Its files.</param>
/// <param name="Bytes">Their length.</param>
/// <param name="FilesOnlyThere">Of those, files that are not the same in the version before or
/// after, unless that is lost too.</param>
/// <param name="BytesOnlyThere">Their length.</param>
public sealed record AffectedVersion(
    BackupVersion Version,
    long Files,
    long Bytes,
    long FilesOnlyThere,
    long BytesOnlyThere
);
