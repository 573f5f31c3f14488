using System.Security.Cryptography;
using System.Text;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Storage.Servers;

/// <summary>
/// Apache with mod_dav; folders below <c>digest/</c> ask for Digest, all others for Basic
/// authentication.
/// </summary>
[NeedsPrograms(".ci/install-servers", "apache2", "htpasswd", "htdigest", Modules + "/mod_dav.so")]
public sealed class ApacheServer : StoreServer
{
    private const string User = "backup";
    private const string Modules = "/usr/lib/apache2/modules";

    public override string Secret => "geheim & süß/?";

    public override IReadOnlyDictionary<string, string> Options =>
        new Dictionary<string, string> { ["auth-username"] = User, ["auth-password"] = Secret };

    public override string UrlOf(string folder, int port) => $"webdav://127.0.0.1:{port}/dav/{folder}";

    protected override async Task StartAsync()
    {
        await MakeWritableFolderAsync(".apache");
        string own = Path.Combine(Root, ".apache");
        await ToolAsync("htpasswd", "-cbB", Path.Combine(own, "basic"), User, Secret);
        string digest = Convert.ToHexStringLower(MD5.HashData(Encoding.UTF8.GetBytes($"{User}:restore:digest-secret")));
        await File.WriteAllTextAsync(Path.Combine(own, "digest"), $"{User}:restore:{digest}\n");
        string[] modules =
        [
            "mpm_event",
            "authn_core",
            "authn_file",
            "authz_core",
            "authz_user",
            "auth_basic",
            "auth_digest",
            "dav",
            "dav_fs",
            "dir",
            "alias",
        ];
        string configuration = $"""
            ServerRoot {own}
            ServerName 127.0.0.1
            Listen 127.0.0.1:{Port}
            PidFile {own}/pid
            ErrorLog {own}/errors
            DefaultRuntimeDir {own}
            Mutex pthread
            StartServers 1
            {(Environment.IsPrivilegedProcess ? "User www-data\nGroup www-data" : "")}
            {string.Join('\n', modules.Select(module => $"LoadModule {module}_module {Modules}/mod_{module}.so"))}
            DavLockDB {own}/locks
            DocumentRoot {Root}
            Alias /dav {Root}
            Redirect 302 /moved /dav
            Redirect 302 /away http://localhost:{Port}/dav
            <Directory {Root}>
                Dav On
                DirectorySlash Off
                AuthType Basic
                AuthName restore
                AuthUserFile {own}/basic
                Require valid-user
            </Directory>
            <Directory {Root}/digest>
                AuthType Digest
                AuthName restore
                AuthUserFile {own}/digest
            </Directory>
            """;
        string file = Path.Combine(own, "httpd.conf");
        await File.WriteAllTextAsync(file, configuration);
        await RunAsync("apache2", ["-f", file, "-D", "FOREGROUND"]);
    }
}
