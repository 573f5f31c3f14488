using System.Buffers.Binary;
using System.IO.Pipes;
using System.Net.Sockets;
using System.Text;
using Renci.SshNet;
using Renci.SshNet.Common;
using Renci.SshNet.Security;

namespace Restore.Sftp;

/// <summary>The user's SSH agent, which keeps keys and signs with them: the socket of SSH_AUTH_SOCK, on Windows the pipe of OpenSSH's service.</summary>
internal sealed class SshAgent(string address)
{
    private const byte RequestIdentities = 11;
    private const byte IdentitiesAnswer = 12;
    private const byte SignRequest = 13;
    private const byte SignResponse = 14;

    // OpenSSH's own limit.
    private const int MaxAnswerBytes = 256 * 1024;

    // A person may have to touch a key.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    public static SshAgent? Find() => OperatingSystem.IsWindows() ? new SshAgent("openssh-ssh-agent")
        : Environment.GetEnvironmentVariable("SSH_AUTH_SOCK") is { Length: > 0 } socket ? new SshAgent(socket)
        : null;

    /// <summary>The keys of the agent; none if it does not answer.</summary>
    public IPrivateKeySource[] Keys()
    {
        try
        {
            var answer = new AgentReader(Ask([RequestIdentities], IdentitiesAnswer));
            int count = answer.Number();
            List<IPrivateKeySource> keys = [];
            for (int i = 0; i < count; i++)
            {
                keys.Add(new AgentKey(this, answer.Text()));
                answer.Text();
            }

            return [.. keys];
        }
        catch (Exception failure) when (failure is IOException or SocketException or TimeoutException or UnauthorizedAccessException or SshException)
        {
            return [];
        }
    }

    /// <summary>Signs data with a key, and returns the name of the algorithm and the signature in the form of the protocol.</summary>
    public byte[] Sign(byte[] key, byte[] data, uint flags)
    {
        byte[] request = new byte[1 + 4 + key.Length + 4 + data.Length + 4];
        request[0] = SignRequest;
        BinaryPrimitives.WriteInt32BigEndian(request.AsSpan(1), key.Length);
        key.CopyTo(request, 5);
        BinaryPrimitives.WriteInt32BigEndian(request.AsSpan(5 + key.Length), data.Length);
        data.CopyTo(request, 9 + key.Length);
        BinaryPrimitives.WriteUInt32BigEndian(request.AsSpan(request.Length - 4), flags);
        return new AgentReader(Ask(request, SignResponse)).Text();
    }

    private byte[] Ask(byte[] request, byte expected)
    {
        using Stream agent = Open();
        byte[] head = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(head, request.Length);
        agent.Write([.. head, .. request]);
        agent.ReadExactly(head);
        int length = BinaryPrimitives.ReadInt32BigEndian(head);
        if (length is < 1 or > MaxAnswerBytes)
        {
            throw new SshException("the SSH agent sent an answer without sense");
        }

        byte[] answer = new byte[length];
        agent.ReadExactly(answer);
        return answer[0] == expected ? answer[1..] : throw new SshException("the SSH agent refused the request");
    }

    private Stream Open()
    {
        if (OperatingSystem.IsWindows())
        {
            var pipe = new NamedPipeClientStream(".", address, PipeDirection.InOut);
            pipe.Connect(TimeSpan.FromSeconds(1));
            return pipe;
        }

        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)
        {
            SendTimeout = (int)Patience.TotalMilliseconds, ReceiveTimeout = (int)Patience.TotalMilliseconds,
        };
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(address));
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Reads the numbers and texts of an answer.</summary>
    private sealed class AgentReader(byte[] answer)
    {
        private int position;

        public int Number()
        {
            int number = answer.Length - position >= 4 ? BinaryPrimitives.ReadInt32BigEndian(answer.AsSpan(position)) : -1;
            position += 4;
            return number >= 0 ? number : throw Malformed();
        }

        public byte[] Text()
        {
            int length = Number();
            position += length;
            return position <= answer.Length && position >= length ? answer[(position - length)..position] : throw Malformed();
        }

        private static SshException Malformed() => new("the SSH agent sent an answer without sense");
    }
}

/// <summary>A key of the agent: known to it alone.</summary>
internal sealed class AgentKey(SshAgent agent, byte[] blob) : IPrivateKeySource
{
    public IReadOnlyCollection<HostAlgorithm> HostKeyAlgorithms => SshHostKey.Of(blob).Type switch
    {
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
