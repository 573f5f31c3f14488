using Restore.Csp;
using Restore.Encryption;
using Restore.Memory;
using Restore.Reading.Messages;
using Restore.Volumes;

namespace Restore.Reading.Processes;

/// <summary>
/// Authenticates and decrypts volumes in place. A volume that is not authentic goes on with its defect: its blocks are used where their own hash is right.
/// </summary>
internal sealed class VolumeDecryptor(VolumeLoader loader)
{
    public async Task RunAsync(IReadChannelEnd<VolumeFetched> input, IWriteChannelEnd<VolumeDecrypted> output, CancellationToken cancellationToken)
    {
        await foreach (VolumeFetched fetched in input.ReadAllAsync().ConfigureAwait(false))
        {
            using VolumeFetched owned = fetched;
            await output.WriteAsync(await DecryptAsync(fetched, cancellationToken).ConfigureAwait(false)).ConfigureAwait(false);
        }
    }

    private async ValueTask<VolumeDecrypted> DecryptAsync(VolumeFetched fetched, CancellationToken cancellationToken)
    {
        if (fetched.Part is { } part)
        {
            // The downloader had to decrypt it to find its way.
            PooledBuffer entries = fetched.TakeBuffer();
            entries.Attach(fetched.TakeCredit());
            DecryptedVolume plain = new(entries, 0, entries.Length, Authentic: false, Defect: null);
            return new VolumeDecrypted(fetched.Demand, plain, failure: null) { Part = part };
        }

        if (fetched.Bytes == 0)
        {
            return new VolumeDecrypted(fetched.Demand, plain: null, fetched.Failure ?? "The volume is empty");
        }

        PooledBuffer buffer = fetched.TakeBuffer();
        try
        {
            DecryptedVolume plain = await loader.DecryptAsync(fetched.Demand.Volume, buffer, cancellationToken).ConfigureAwait(false);
            plain.Buffer.Attach(fetched.TakeCredit());
            return new VolumeDecrypted(fetched.Demand, plain, fetched.Failure ?? plain.Defect);
        }
        catch (InvalidDataException failure)
        {
            return new VolumeDecrypted(fetched.Demand, plain: null, fetched.Failure ?? failure.Reason());
        }
        catch (PassphraseException)
        {
            // Other volumes opened with it before the flow began.
            const string Reason = "The passphrase does not open this volume: its header is damaged, or it was made with another passphrase";
            return new VolumeDecrypted(fetched.Demand, plain: null, Reason);
        }
    }
}
