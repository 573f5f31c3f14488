namespace Restore.Volumes;

/// <summary>A volume that was read as a whole file, as far as the store has it.</summary>
internal sealed class WholeVolume : FetchedVolume
{
    private DecryptedVolume? plain;

    public WholeVolume(Volume volume, PooledBuffer buffer)
        : base(volume, buffer) =>
        Defect =
            buffer.Length < volume.SizeBytes
                ? $"The volume ended after {buffer.Length:N0} of {volume.SizeBytes:N0} bytes"
                : null;

    public override bool IsWhole => true;

    public override int LengthBytes => plain?.Length ?? base.LengthBytes;

    public override Archive OpenArchive(Codecs codecs) =>
        plain is { } archive
            ? ArchiveReader.Open(Volume.Name.Archive, archive.Memory, codecs)
            : throw new InvalidOperationException("A volume is opened after its decryption");

    protected override async ValueTask<PooledBuffer> DecryptAsync(
        VolumeLoader loader,
        PooledBuffer fetched,
        CancellationToken cancellationToken
    )
    {
        if (fetched.Length == 0)
        {
            fetched.Dispose();
            throw new InvalidDataException("The volume is empty");
        }

        DecryptedVolume decrypted = await loader.DecryptAsync(Volume, fetched, cancellationToken).ConfigureAwait(false);
        plain = decrypted;
        Defect ??= decrypted.Defect ?? decrypted.Note;
        return decrypted.Buffer;
    }
}
