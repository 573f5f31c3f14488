using Restore.Writing.Messages;

namespace Restore.Writing.Processes;

/// <summary>Encrypts and hashes block volumes, and creates the index volume of each.</summary>
internal sealed class VolumeEncryptor(VolumeSealer sealer)
{
    public async Task RunAsync(IReadChannelEnd<VolumeBuilt> input, IWriteChannelEnd<VolumeEncrypted> output)
    {
        await foreach (VolumeBuilt built in input.ReadAllAsync().ConfigureAwait(false))
        {
            using VolumeBuilt owned = built;
            await output.WriteAsync(sealer.Seal(built)).ConfigureAwait(false);
        }
    }
}
