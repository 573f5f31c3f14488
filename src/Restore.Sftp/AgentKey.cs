using Renci.SshNet;
using Renci.SshNet.Security;

namespace Restore.Sftp;

/// <summary>A key of the agent: known to it alone.</summary>
internal sealed class AgentKey(SshAgent agent, byte[] blob) : IPrivateKeySource
{
    public IReadOnlyCollection<HostAlgorithm> HostKeyAlgorithms =>
        SshHostKey.Of(blob).Type switch
        {
            // The flags of the agent's protocol choose the hash: 4 for SHA-512, 2 for SHA-256.
            // SHA-1, the hash without a flag, is not offered.
            "ssh-rsa" => [new Signer(agent, blob, "rsa-sha2-512", 4), new Signer(agent, blob, "rsa-sha2-256", 2)],
            string type => [new Signer(agent, blob, type, 0)],
        };

    private sealed class Signer(SshAgent agent, byte[] blob, string algorithm, uint flags) : HostAlgorithm(algorithm)
    {
        public override byte[] Data => blob;

        public override byte[] Sign(byte[] data) => agent.Sign(blob, data, flags);

        public override bool VerifySignature(byte[] data, byte[] signature) => throw new NotSupportedException();
    }
}
