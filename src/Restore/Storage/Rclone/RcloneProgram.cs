using System.Diagnostics;
using System.Text.RegularExpressions;

namespace Restore.Storage.Rclone;

/// <summary>
/// Starts the rclone program: secrets go through its environment or its standard input, never
/// through its arguments.
/// </summary>
internal sealed partial class RcloneProgram(string path, IReadOnlyList<string> variables, SecretScrubber scrubber)
{
    // Settings of rclone can be variables, including the password of its configuration.
    private const string Settings = "RCLONE_";

    private const int MaxObscuredChars = 64 << 10;

    public static RcloneProgram Find(StoreContext context)
    {
        StoreUrl url = context.Url;
        string name = url.Options.Text(RcloneOptions.Executable) ?? "rclone";
        const StringSplitOptions Names = StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries;
        string[] variables = url.Options.Text(RcloneOptions.Variables)?.Split(',', Names) ?? [];
        return SystemPrograms.Find(name) is { } path
            ? new RcloneProgram(path, variables, context.Scrubber)
            : throw new RestoreException(
                RestoreErrorCode.RcloneMissing,
                $"The program {name} is needed for {url.Scheme}:// and is not installed",
                url.DisplayName
            );
    }

    /// <summary>
    /// Starts rclone. Its standard input is closed when this process ends, however it ends.
    /// </summary>
    /// <param name="arguments">Free of secrets: every user of the machine can see them.</param>
    /// <param name="environment">Settings and secrets.</param>
    /// <param name="endsWithUs">Makes rclone end when its standard input ends; long-lived children
    /// need this.</param>
    public ChildProcess Start(
        IEnumerable<string> arguments,
        IReadOnlyDictionary<string, string> environment,
        bool endsWithUs = false
    )
    {
        // rclone does not watch its parent. A background job of a shell does: it reads until the
        // pipe from this process closes, and then ends the process that the shell has become.
        const string Watch = "exec 3<&0 </dev/null; (cat <&3; kill $$) >/dev/null 2>&1 & exec \"$@\" 3<&-";
        string[] command = endsWithUs && File.Exists("/bin/sh") ? ["/bin/sh", "-c", Watch, "rclone", path] : [path];
        ProcessStartInfo start = SystemPrograms.StartInfo(command[0], [.. command[1..], .. arguments], IsPassed);
        start.StandardOutputEncoding = new UTF8Encoding(false);
        start.StandardErrorEncoding = new UTF8Encoding(false);
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        return new ChildProcess(start, line => scrubber.Clean(LogPrefix().Replace(line, "")), ownGroup: true);
    }

    public async Task<string> ObscureAsync(
        string secret,
        string where,
        TimeSpan patience,
        CancellationToken cancellationToken
    )
    {
        var child = Start(["obscure", "-"], new Dictionary<string, string>());
        await using (child.ConfigureAwait(false))
        {
            await child.Input.WriteAsync(secret.AsMemory(), cancellationToken).ConfigureAwait(false);
            child.Input.Close();
            string? obscured = await child
                .ShortOutputAsync(MaxObscuredChars, patience, cancellationToken)
                .ConfigureAwait(false);
            return obscured is null
                    ? throw new RestoreException(
                        RestoreErrorCode.ProgramUnusable,
                        "rclone did not answer, or with something else than a password",
                        where
                    )
                : await child.ExitCodeAsync(cancellationToken).ConfigureAwait(false) == 0 ? obscured.Trim()
                : throw new RestoreException(
                    RestoreErrorCode.ProgramUnusable,
                    $"rclone cannot take the password: {child.LastError()}",
                    where
                );
        }
    }

    private bool IsPassed(string variable) =>
        variable.StartsWith(Settings, StringComparison.OrdinalIgnoreCase)
        || variables.Contains(variable, StringComparer.OrdinalIgnoreCase);

    [GeneratedRegex(@"^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d (?:[A-Z]+ *: (?:: )?)?")]
    private static partial Regex LogPrefix();
}
