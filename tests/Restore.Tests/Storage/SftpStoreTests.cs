using System.Diagnostics;
using System.Net.Sockets;
using System.Security.Cryptography;
using Restore.Storage;
using Restore.Tests.Storage.Servers;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Storage;

/// <summary>
/// What is particular to SFTP: the key of the server, the ways to log in, a connection that is
/// lost.
/// </summary>
[Trait("Suite", "server")]
public sealed class SftpStoreTests(SshServer ssh, RcloneSftpServer password)
    : IClassFixture<SshServer>,
        IClassFixture<RcloneSftpServer>
{
    private const int FileBytes = 3_000_000;
    private static readonly (string Name, string Value) NoFingerprint = ("ssh-fingerprint", "");

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_server_with_another_key_is_not_talked_to()
    {
        await using IVolumeStore store = password.Open(
            "",
            out MeteredStore meter,
            null,
            ("ssh-fingerprint", "SHA256:" + new string('A', 43))
        );

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).ToListAsync(Token)
        );

        Assert.Equal(RestoreErrorCode.SshServerChanged, failure.Code);
        Assert.Contains(
            "is not the one that is known; it offers the keys ssh-rsa SHA256:",
            failure.Message,
            StringComparison.Ordinal
        );
        Assert.Equal(1, meter.Requests);
    }

    [Fact]
    public async Task Any_key_of_a_server_with_several_is_found_by_its_fingerprint()
    {
        await ssh.MakeFolderAsync("any-key");
        foreach (string fingerprint in new[] { ssh.Fingerprint, ssh.Ed25519Fingerprint })
        {
            await using IVolumeStore store = ssh.Open("any-key", null, ("ssh-fingerprint", fingerprint));

            Assert.Empty(await store.ListAsync(Token).ToListAsync(Token));
        }
    }

    [Fact]
    public async Task A_server_that_nothing_is_known_of_is_reported_with_all_its_keys()
    {
        await using IVolumeStore store = ssh.Open("", null, NoFingerprint, ("ssh-known-hosts", "/no/such/file"));

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).ToListAsync(Token)
        );

        Assert.Equal(RestoreErrorCode.SshServerUnknown, failure.Code);
        Assert.Contains(ssh.Fingerprint, failure.Message, StringComparison.Ordinal);
        Assert.Contains(ssh.Ed25519Fingerprint, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_is_known_by_the_file_of_OpenSSH()
    {
        await ssh.MakeFolderAsync("known");
        using TempFolder folder = new();
        string file = Path.Combine(folder.Path, "known_hosts");
        await File.WriteAllTextAsync(file, $"# servers\n[127.0.0.1]:{ssh.Port} {ssh.PublicKey}\n", Token);
        await using IVolumeStore known = ssh.Open("known", null, NoFingerprint, ("ssh-known-hosts", file));
        Assert.Empty(await known.ListAsync(Token).ToListAsync(Token));

        string[] key = ssh.PublicKey.Split(' ');
        byte[] blob = Convert.FromBase64String(key[1]);
        blob[^1] ^= 1;
        await File.WriteAllTextAsync(file, $"[127.0.0.1]:{ssh.Port} {key[0]} {Convert.ToBase64String(blob)}\n", Token);
        await using IVolumeStore changed = ssh.Open("known", null, NoFingerprint, ("ssh-known-hosts", file));
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await changed.ListAsync(Token).ToListAsync(Token)
        );
        Assert.Equal(RestoreErrorCode.SshServerChanged, failure.Code);
    }

    [Fact]
    public async Task Any_key_is_accepted_if_the_option_says_so()
    {
        await using IVolumeStore store = password.Open("", null, NoFingerprint, ("ssh-accept-any-fingerprints", ""));

        Assert.NotNull(await store.ListAsync(Token).ToListAsync(Token));
    }

    [Theory]
    [InlineData("ssh-keyfile")]
    [InlineData("ssh-key")]
    public async Task A_key_in_the_URL_lets_in(string option)
    {
        await ssh.MakeFolderAsync("by-key");
        string key = "sshkey://" + Uri.EscapeDataString(await File.ReadAllTextAsync(ssh.KeyFile, Token));
        await using IVolumeStore store = ssh.Open("by-key", null, (option, key));

        Assert.Empty(await store.ListAsync(Token).ToListAsync(Token));
    }

    [Fact]
    public async Task A_key_with_a_passphrase_needs_it()
    {
        await ssh.MakeFolderAsync("by-passphrase");
        using TempFolder folder = new();
        string key = Path.Combine(folder.Path, "key");
        File.Copy(ssh.KeyFile, key);
        await RunAsync("ssh-keygen", ["-q", "-p", "-N", "open sesame", "-f", key]);

        await using IVolumeStore opened = ssh.Open(
            "by-passphrase",
            null,
            ("ssh-keyfile", key),
            ("auth-password", "open sesame")
        );
        Assert.Empty(await opened.ListAsync(Token).ToListAsync(Token));

        foreach (string wrong in new[] { "", "wrong-one" })
        {
            await using IVolumeStore refused = ssh.Open(
                "by-passphrase",
                null,
                ("ssh-keyfile", key),
                ("auth-password", wrong)
            );
            RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
                await refused.ListAsync(Token).ToListAsync(Token)
            );
            Assert.Equal(RestoreErrorCode.SshKeyUnusable, failure.Code);
            Assert.DoesNotContain("wrong-one", failure.ToString(), StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("ed25519")]
    [InlineData("rsa")]
    [NeedsPrograms(".ci/install-servers", "ssh-agent", "ssh-add")]
    public async Task An_agent_lets_in_with_its_keys(string kind)
    {
        using TempFolder folder = new();
        string key = ssh.KeyFile;
        if (kind == "rsa")
        {
            key = Path.Combine(folder.Path, "rsa");
            await RunAsync("ssh-keygen", ["-q", "-t", "rsa", "-b", "2048", "-N", "", "-f", key]);
            await ssh.AdmitAsync(key + ".pub");
        }

        string socket = Path.Combine(folder.Path, "agent");
        using Process agent = Process.Start(
            new ProcessStartInfo("ssh-agent", ["-D", "-a", socket]) { RedirectStandardOutput = true }
        )!;
        try
        {
            await AwaitAgentAsync(socket);
            await RunAsync("ssh-add", ["-q", key], ("SSH_AUTH_SOCK", socket));
            await ssh.MakeFolderAsync("by-agent");

            // No other test looks for an agent.
            Environment.SetEnvironmentVariable("SSH_AUTH_SOCK", socket);
            await using IVolumeStore store = ssh.Open("by-agent", null, ("ssh-keyfile", ""));
            Assert.Empty(await store.ListAsync(Token).ToListAsync(Token));

            await RunAsync("ssh-add", ["-q", "-D"], ("SSH_AUTH_SOCK", socket));
            await using IVolumeStore without = ssh.Open("by-agent", null, ("ssh-keyfile", ""));
            await Assert.ThrowsAsync<RestoreException>(async () => await without.ListAsync(Token).ToListAsync(Token));
        }
        finally
        {
            Environment.SetEnvironmentVariable("SSH_AUTH_SOCK", null);
            agent.Kill();
        }
    }

    [Fact]
    public async Task Without_password_key_and_agent_there_is_nothing_to_log_in_with()
    {
        await using IVolumeStore store = ssh.Open("", null, ("ssh-keyfile", ""), ("ssh-disable-agent", ""));

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).ToListAsync(Token)
        );

        Assert.Equal(RestoreErrorCode.CredentialsMissing, failure.Code);
    }

    [Fact]
    public async Task A_relative_path_starts_at_the_folder_of_the_user()
    {
        await password.MakeFolderAsync("relative/below");
        await password.PutAsync("relative/below", "a.zip", new byte[100]);
        await using IVolumeStore store = password.Open("relative/below", null, ("ssh-relative-path", "true"));
        await using IVolumeSink sink = password.OpenPlainSink("relative/new", null, ("ssh-relative-path", "true"));

        Assert.Equal([new StoredFile("a.zip", 100)], await store.ListAsync(Token).ToListAsync(Token));
        Assert.Equal(100, await store.ReadAsync("a.zip", 0, new byte[100], Token));
        await sink.PutAsync("b.zip", new byte[50], Token);
        Assert.Equal([new StoredFile("b.zip", 50)], await sink.ListAsync(Token).ToListAsync(Token));
    }

    [Fact]
    public async Task A_link_to_a_file_is_listed_as_the_file()
    {
        await ssh.MakeFolderAsync("links");
        await ssh.PutAsync("links", "a.zip", new byte[100]);
        File.CreateSymbolicLink(Path.Combine(ssh.Root, "links", "b.zip"), "a.zip");
        File.CreateSymbolicLink(Path.Combine(ssh.Root, "links", "c.zip"), "gone.zip");
        await using IVolumeStore store = ssh.Open("links");

        List<StoredFile> files = await store.ListAsync(Token).ToListAsync(Token);

        Assert.Equal([new StoredFile("a.zip", 100), new StoredFile("b.zip", 100)], files.OrderBy(file => file.Name));
    }

    [Fact]
    public async Task A_part_of_a_file_costs_no_more_than_the_part()
    {
        const int PartBytes = 400_000;
        byte[] content = RandomNumberGenerator.GetBytes(20_000_000);
        await ssh.MakeFolderAsync("parts");
        await ssh.PutAsync("parts", "large.zip", content);
        await using var proxy = new FaultProxy(ssh.Port, isHttp: false, new Fault());
        byte[] part = new byte[PartBytes];
        await using (IVolumeStore store = ssh.Open("parts", proxy.Port, ("ssh-fingerprint", ssh.Ed25519Fingerprint)))
        {
            Assert.Equal(PartBytes, await store.ReadAsync("large.zip", 5_000_001, part, Token));
        }

        Assert.True(content.AsSpan(5_000_001, PartBytes).SequenceEqual(part));
        Assert.InRange(proxy.Answered, PartBytes, PartBytes * 11 / 10);
    }

    [Theory]
    [InlineData("reset")]
    [InlineData("ended")]
    [InlineData("stalled")]
    public async Task A_lost_connection_is_replaced_and_the_read_continues(string how)
    {
        byte[] content = RandomNumberGenerator.GetBytes(FileBytes);
        await password.PutAsync("", "large.zip", content);
        Fault fault = how switch
        {
            "reset" => new Fault { ResetAfter = FileBytes / 2 },
            "ended" => new Fault { EndAfter = FileBytes / 2 },
            _ => new Fault { StallAfter = FileBytes / 2 },
        };
        await using var proxy = new FaultProxy(password.Port, isHttp: false, fault with { Times = 1 });
        await using IVolumeStore store = password.Open(
            "",
            out MeteredStore meter,
            proxy.Port,
            ("read-write-timeout", "2s")
        );
        byte[] destination = new byte[FileBytes];

        int count = await store.ReadAsync("large.zip", 0, destination, Token);

        Assert.Equal(FileBytes, count);
        Assert.True(content.AsSpan().SequenceEqual(destination));
        Assert.Equal(1, proxy.Broken);
        Assert.Equal(FileBytes, meter.BytesFetched);
    }

    [Fact]
    public async Task A_server_that_never_answers_ends_the_listing_in_bounded_time()
    {
        await using var proxy = new FaultProxy(ssh.Port, isHttp: false, new Fault { StallAfter = -1 });
        await using IVolumeStore store = ssh.Open("", proxy.Port, ("read-write-timeout", "700ms"));

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).ToListAsync(Token)
        );

        Assert.Equal(RestoreErrorCode.StoreUnreachable, failure.Code);
    }

    [Fact]
    public async Task An_upload_whose_connection_is_lost_is_repeated_under_another_name()
    {
        await ssh.MakeWritableFolderAsync("cut");
        await using var proxy = new FaultProxy(ssh.Port, isHttp: false, new Fault { ResetAfter = 6_000, Times = 1 });
        await using RetryingSink sink = ssh.OpenSink("cut", proxy.Port, ("ssh-fingerprint", ssh.Ed25519Fingerprint));

        string name = await sink.PutAsync(trial => $"v{trial}.zip", new byte[20_000_000], Token);

        Assert.Equal(1, proxy.Broken);
        Assert.Contains(new StoredFile(name, 20_000_000), await sink.ListAsync(Token));
        Assert.True(File.Exists(Path.Combine(ssh.Root, "cut", name)));
    }

    /// <summary>Its socket is there a moment before it listens.</summary>
    private static async Task AwaitAgentAsync(string socket)
    {
        while (true)
        {
            using Socket agent = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            try
            {
                await agent.ConnectAsync(new UnixDomainSocketEndPoint(socket), Token);
                return;
            }
            catch (SocketException)
            {
                await Task.Delay(20, Token);
            }
        }
    }

    private static async Task RunAsync(
        string program,
        string[] arguments,
        params (string Name, string Value)[] environment
    )
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardError = true,
            RedirectStandardOutput = true,
        };
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        using Process process = Process.Start(start)!;
        string said = await process.StandardError.ReadToEndAsync(Token);
        await process.WaitForExitAsync(Token);
        Assert.True(process.ExitCode == 0, said);
    }
}
