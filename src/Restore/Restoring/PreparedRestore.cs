using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Format;
using Restore.Memory;
using Restore.Planning;
using Restore.Reading;

namespace Restore.Restoring;

/// <summary>A finished plan with all that carrying it out takes.</summary>
internal sealed record PreparedRestore(
    RestoreSession Session,
    BackupVersion Version,
    RestoreOptions Options,
    FlowSettings Settings,
    RestoreNetwork Network,
    BlockNeeds Needs,
    BlockLocator Locator,
    PassPlan FirstPass,
    List<RestoreIssue> Issues,
    ProgressMeter Progress)
{
    public VersionContent Content => FirstPass.Content;

    public EntryPlans Entries => FirstPass.Entries;

    /// <summary>Bytes of blocks that were at the target before the run, in files that differ.</summary>
    public long BytesInPlaceAtFirst { get; } = CountInPlace(FirstPass);

    /// <summary>Files that the run writes, and the bytes in them.</summary>
    public (long Files, long Bytes) CountToWrite()
    {
        (long files, long bytes) = (0, 0);
        foreach (EntryId entry in Included().Where(FirstPass.WritesFile))
        {
            files++;
            bytes += Content.SizeOf(entry);
        }

        return (files, bytes - BytesInPlaceAtFirst);
    }

    /// <summary>Files whose content was right before the run.</summary>
    public IEnumerable<EntryId> UnchangedFiles() => Included().Where(entry => Content.IsFile(entry) && Entries[entry] == EntryAction.Keep);

    /// <summary>Entries that the run works on.</summary>
    public IEnumerable<EntryId> Included() => EntryId.UpTo(Entries.Count).AsEnumerable().Where(FirstPass.Includes);

    /// <summary>The path at the target, for messages.</summary>
    public string Display(EntryId entry)
    {
        string path = Entries.TargetPath(entry);
        return Options.Target is null ? "/" + path : Path.Join(Options.Target, path);
    }

    /// <summary>What the engine chose, for the profile.</summary>
    public IReadOnlyList<string> Choices(long peakStoreBytes) =>
    [
        $"copies: {Settings.Reading.VolumeDownloaders} VolumeDownloader, {Settings.Reading.VolumeDecryptors} VolumeDecryptor, "
            + $"{Settings.Reading.VolumeDecompressors} VolumeDecompressor, {Settings.FileProcessors} FileProcessor",
        .. Network.Downloads is { } downloads ? new[] { Describe(downloads) } : [],
        $"block store: at most {Settings.StoreBytes >> 20:N0} MiB, {peakStoreBytes >> 20:N0} MiB used",
        Session.Loader.Codecs.Description,
    ];

    private string Describe(DownloadGate downloads) =>
        $"transfers at once: {downloads.Width} at the end, {downloads.Widest} at most, by what they brought "
        + $"({DownloadGate.Least} to {Settings.Reading.VolumeDownloaders})";

    private static long CountInPlace(PassPlan pass)
    {
        long bytes = 0;
        foreach (EntryId entry in EntryId.UpTo(pass.Entries.Count))
        {
            if (pass.Entries.InPlace(entry) is BitSet blocks)
            {
                bytes += (long)blocks.CountSet() * pass.Content.Layout.BlockSizeBytes;
            }
        }

        return bytes;
    }
}
