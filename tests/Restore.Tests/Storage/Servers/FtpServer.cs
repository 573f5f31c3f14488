using Restore.Tests.Support.Machine;

namespace Restore.Tests.Storage.Servers;

/// <summary>vsftpd, which lets in anonymous users who know a password.</summary>
[NeedsPrograms(".ci/install-servers", "vsftpd", "rclone")]
public sealed class FtpServer : StoreServer
{
    private readonly TempFolder own = new();

    public override string Secret => "ftp-secret@example";

    public override IReadOnlyDictionary<string, string> Options =>
        new Dictionary<string, string> { ["auth-username"] = "anonymous", ["auth-password"] = Secret };

    public override string UrlOf(string folder, int port) => $"ftp://127.0.0.1:{port}/{folder}";

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        own.Dispose();
    }

    protected override async Task StartAsync()
    {
        string empty = Directory.CreateDirectory(Path.Combine(own.Path, "empty")).FullName;
        await File.WriteAllTextAsync(Path.Combine(own.Path, "passwords"), Secret + "\n");
        string file = Path.Combine(own.Path, "vsftpd.conf");
        await File.WriteAllTextAsync(
            file,
            $"""
            listen=YES
            listen_address=127.0.0.1
            listen_port={Port}
            background=NO
            anonymous_enable=YES
            secure_email_list_enable=YES
            email_password_file={own.Path}/passwords
            anon_root={Root}
            local_enable=NO
            write_enable=YES
            anon_upload_enable=YES
            anon_mkdir_write_enable=YES
            anon_other_write_enable=YES
            anon_umask=022
            pasv_address=127.0.0.1
            secure_chroot_dir={empty}
            seccomp_sandbox=NO
            isolate=NO
            isolate_network=NO
            run_as_launching_user={(Environment.IsPrivilegedProcess ? "NO" : "YES")}
            xferlog_enable=NO
            use_localtime=NO

            """
        );
        await RunAsync("vsftpd", [file]);
    }
}
