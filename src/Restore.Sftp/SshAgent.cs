using System.Buffers.Binary;
using System.IO.Pipes;
using System.Net.Sockets;
using Renci.SshNet;
using Renci.SshNet.Common;

namespace Restore.Sftp;

/// <summary>
/// The user's SSH agent, which keeps keys and signs with them: the socket of SSH_AUTH_SOCK, on
/// Windows the pipe of OpenSSH's service.
/// </summary>
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

    public static SshAgent? Find() =>
        OperatingSystem.IsWindows() ? new SshAgent("openssh-ssh-agent")
        : Environment.GetEnvironmentVariable("SSH_AUTH_SOCK") is { Length: > 0 } socket ? new SshAgent(socket)
        : null;

    /// <summary>The keys of the agent; none if it does not answer.</summary>
    public IPrivateKeySource[] Keys()
    {
        try
        {
            using SshDataStream answer = Ask([RequestIdentities], IdentitiesAnswer);
            List<IPrivateKeySource> keys = [];
            for (uint left = answer.ReadUInt32(); left > 0; left--)
            {
                keys.Add(new AgentKey(this, answer.ReadBinary()));
                _ = answer.ReadBinary();
            }

            return [.. keys];
        }
        catch (Exception failure)
            when (failure
                    is IOException
                        or SocketException
                        or TimeoutException
                        or UnauthorizedAccessException
                        or SshException
                        or ArgumentException
                        or NotSupportedException
            )
        {
            return [];
        }
    }

    /// <summary>
    /// Signs data with a key, and returns the name of the algorithm and the signature in the form
    /// of the protocol.
    /// </summary>
    public byte[] Sign(byte[] key, byte[] data, uint flags)
    {
        using SshDataStream request = new(key.Length + data.Length + 13);
        request.WriteByte(SignRequest);
        request.WriteBinary(key);
        request.WriteBinary(data);
        request.Write(flags);
        using SshDataStream answer = Ask(request.ToArray(), SignResponse);
        return answer.ReadBinary();
    }

    private SshDataStream Ask(byte[] request, byte expected)
    {
        using Stream agent = Open();
        byte[] length = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(length, request.Length);
        agent.Write([.. length, .. request]);
        agent.ReadExactly(length);
        byte[] answer = new byte[Math.Clamp(BinaryPrimitives.ReadInt32BigEndian(length), 1, MaxAnswerBytes)];
        agent.ReadExactly(answer);
        return answer[0] == expected
            ? new SshDataStream(answer, 1, answer.Length - 1)
            : throw new SshException("the SSH agent refused the request");
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
            SendTimeout = (int)Patience.TotalMilliseconds,
            ReceiveTimeout = (int)Patience.TotalMilliseconds,
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
}
