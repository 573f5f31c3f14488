namespace Restore.Cli;

/// <summary>
/// Asks on a terminal for the user and the password of a store that wants them, and remembers them
/// for the next time it is opened.
/// </summary>
internal sealed class CredentialsPrompt(CommandContext context)
{
    public const string User = "User name at the store: ";
    public const string Password = "Password at the store: ";

    private const int Tries = 3;

    // Azure and Google Cloud Storage have keys by other names.
    private static readonly string[] Schemes = ["webdav", "ssh", "ftp", "aftp", "s3", "b2", "http", "sftp", "dav"];

    private readonly Dictionary<string, string> given = [];

    public async Task<Backup> OpenAsync(BackupOptions options, Func<BackupOptions, Task<Backup>> open)
    {
        for (var left = Tries; ; left--)
        {
            try
            {
                return await open(options with { StoreOptions = options.StoreOptions.Concat(given).ToDictionary() });
            }
            catch (RestoreException failure)
                when (failure.Code == RestoreErrorCode.SshServerUnknown
                    && left > 0
                    && context.Environment.Ask is { } ask
                )
            {
                if (SshServerPrompt.Ask(failure, ask, context.Messages.WriteLine) is not { } fingerprint)
                {
                    throw;
                }

                given[SshServerPrompt.Option] = fingerprint;
            }
            catch (RestoreException failure)
                when (failure.Code is RestoreErrorCode.CredentialsRefused or RestoreErrorCode.CredentialsMissing)
            {
                if (left == 0 || !TryAsk(failure, options.StoreOptions))
                {
                    throw;
                }
            }
        }
    }

    /// <summary>Nothing is asked if both were given.</summary>
    private bool TryAsk(RestoreException failure, IReadOnlyDictionary<string, string> options)
    {
        var location = context.Request.Storage;

        // A user in the URL wins over one among the options, as in the library. With a colon in it,
        // the URL has a password too, so both were given.
        var user = location.Split("://")[^1].Split('/')[0].Split('@') is [var inUrl, _, ..]
            ? inUrl
            : options.GetValueOrDefault("auth-username");
        if (
            context.Environment is not { Ask: { } ask, AskSecret: { } askSecret }
            || !Schemes.Any(scheme => location.StartsWith(scheme, StringComparison.OrdinalIgnoreCase))
            || options.ContainsKey("auth-password")
            || user?.Contains(':', StringComparison.Ordinal) == true
        )
        {
            return false;
        }

        context.Messages.WriteLine(failure.Message);
        user ??= given["auth-username"] = ask(User) ?? "";
        var password = user.Length > 0 ? askSecret(Password) : null;
        if (string.IsNullOrEmpty(password))
        {
            return false;
        }

        given["auth-password"] = password;
        context.Secrets.Add(password);
        return true;
    }
}
