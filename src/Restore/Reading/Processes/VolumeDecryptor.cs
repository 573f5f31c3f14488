using Restore.Csp;
using Restore.Encryption;
using Restore.Memory;
using Restore.Reading.Messages;
using Restore.Volumes;

namespace Restore.Reading.Processes;

/// <summary>
/// Authenticates and decrypts volumes in place. A volume that is not authentic is passed on with its defect: its blocks are used if their own hash is right.
/// </summary>
#pragma warning disable CA1001 // A semaphore has something to dispose only if its wait handle is used.
internal sealed class VolumeDecryptor(VolumeLoader loader)
#pragma warning restore CA1001
{
    // The credit of a volume covers its bytes in the store. GnuPG compresses, so a text can be longer; a little is its form.
    private const int CoveredBytes = 1 << 20;

    private readonly SemaphoreSlim longText = new(1);

    public async Task RunAsync(IReadChannelEnd<VolumeFetched> input, IWriteChannelEnd<VolumeDecrypted> output, CancellationToken cancellationToken)
    {
        await foreach (VolumeFetched fetched in input.ReadAllAsync().ConfigureAwait(false))
        {
            using VolumeFetched owned = fetched;
            FetchedVolume? volume = fetched.TakeVolume();
            int coveredBytes = (volume?.MemoryBytes ?? 0) + CoveredBytes;
            string? failure = volume is null ? fetched.Failure : await TryDecryptAsync(volume, cancellationToken).ConfigureAwait(false);
            if (failure is null && volume!.LengthBytes > coveredBytes)
            {
                await AwaitTurnAsync(volume, cancellationToken).ConfigureAwait(false);
            }

            await input.ReturnAsync();
            await output.WriteAsync(new VolumeDecrypted(fetched.Wanted, failure is null ? volume : null, failure)).ConfigureAwait(false);
        }
    }

    /// <summary>Waits until no other volume with a long text is in memory below; its last user lets the next one go on.</summary>
    private async ValueTask AwaitTurnAsync(FetchedVolume volume, CancellationToken cancellationToken)
    {
        bool isNext = false;
        try
        {
            await longText.WaitAsync(cancellationToken).ConfigureAwait(false);
            volume.Buffer.Attach(new SemaphorePlace(longText));
            isNext = true;
        }
        finally
        {
            if (!isNext)
            {
                volume.Dispose();
            }
        }
    }

    /// <summary>Decrypts a volume, or disposes it and returns the reason.</summary>
    private async ValueTask<string?> TryDecryptAsync(FetchedVolume volume, CancellationToken cancellationToken)
    {
        bool isOpen = false;
        try
        {
            await volume.DecryptAsync(loader, cancellationToken).ConfigureAwait(false);
            isOpen = true;
            return null;
        }
        catch (InvalidDataException failure)
        {
            return volume.Defect ?? failure.Reason();
        }
        catch (PassphraseException)
        {
            // The passphrase opened other volumes before the flow began.
            return "The passphrase does not open this volume: its header is damaged, or it was made with another passphrase";
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
