namespace Restore.Reading;

/// <summary>
/// Authenticates and decrypts volumes in place. A volume that is not authentic is passed on with
/// its defect: its blocks are used if their own hash is right.
/// </summary>
internal static class VolumeDecryptor
{
    public static async Task RunAsync(
        IReadChannelEnd<VolumeFetched> input,
        IWriteChannelEnd<VolumeDecrypted> output,
        CancellationToken cancellationToken
    )
    {
        await foreach (VolumeFetched fetched in input.ReadAllAsync().ConfigureAwait(false))
        {
            using VolumeFetched owned = fetched;
            VolumeReader? volume = fetched.TakeVolume();
            IssueReason? failure = volume is null
                ? fetched.Failure
                : await TryDecryptAsync(volume, cancellationToken).ConfigureAwait(false);
            await input.ReturnAsync();
            await output
                .WriteAsync(new VolumeDecrypted(fetched.Wanted, failure is null ? volume : null, failure))
                .ConfigureAwait(false);
        }
    }

    private static async ValueTask<IssueReason?> TryDecryptAsync(
        VolumeReader volume,
        CancellationToken cancellationToken
    )
    {
        bool isOpen = false;
        try
        {
            await volume.DecryptAsync(cancellationToken).ConfigureAwait(false);
            isOpen = true;
            return null;
        }
        catch (InvalidDataException failure)
        {
            return volume.Defect is string defect ? new IssueReason(defect) : IssueReason.Of(failure);
        }
        catch (PassphraseException)
        {
            // The passphrase opened other volumes before the flow began.
            return new IssueReason(
                "The passphrase does not open this volume: its header is damaged, or it was made with another passphrase"
            );
        }
        finally
        {
            if (!isOpen)
            {
                volume.Dispose();
            }
        }
    }
}
