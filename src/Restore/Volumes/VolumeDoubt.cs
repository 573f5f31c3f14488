namespace Restore.Volumes;

/// <summary>
/// A file of the folder that stands for, or may be, a volume that is not there under its name.
/// While there is one, it is not known what the backup has and needs.
/// </summary>
/// <param name="FileName">The name of the file.</param>
/// <param name="Trace">What its name says of the volume.</param>
/// <param name="Code">What it seems to be.</param>
internal readonly record struct VolumeDoubt(string FileName, VolumeTrace Trace, IssueCode Code)
{
    public bool IsFileList => Trace.Kind == VolumeKind.FileList;

    /// <summary>What it is, as the end of a sentence that says its name before.</summary>
    public string What =>
        Code switch
        {
            IssueCode.VolumePlaceholder => "stands for a volume that is not on this disk",
            IssueCode.VolumeUnfinished => "looks like a part of a volume that did not arrive whole",
            _ => "looks like a volume that was renamed",
        };
}
