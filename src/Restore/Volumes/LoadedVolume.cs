namespace Restore.Volumes;

internal sealed record LoadedVolume(DecryptedVolume Plain, Archive Archive) : IDisposable
{
    public bool IsIntact => Plain.Authentic && !Archive.IsSalvaged;

    /// <summary>
    /// Refuses an unverified list: a list can be used only if its volume is authentic and its
    /// archive whole.
    /// </summary>
    public void RequireIntact()
    {
        if (!Plain.Authentic)
        {
            throw new InvalidDataException(Plain.Defect ?? "The volume is not authentic");
        }

        if (Archive.IsSalvaged)
        {
            throw new InvalidDataException(Archive.SalvageReason ?? "The directory of the archive is damaged");
        }
    }

    public void Dispose()
    {
        Archive.Dispose();
        Plain.Buffer.Dispose();
    }
}
