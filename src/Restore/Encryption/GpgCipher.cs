using System.Diagnostics;

namespace Restore.Encryption;

/// <summary>
/// Decrypts .gpg volumes with the gpg program: the volume goes through its pipes, never through a
/// file.
/// </summary>
#pragma warning disable CA1001 // A semaphore has something to dispose only if its wait handle is used.
internal sealed class GpgCipher : IVolumeCipher
#pragma warning restore CA1001
{
    // gpg compresses. An archive is compressed already, unless the backup was made without, so a
    // text that is much longer than its message is a bomb.
    private const int MaxGrowth = 16;
    private const int GrowthAllowanceBytes = 64 << 20;
    private const int MaxGrownBytes = 240 << 20;

    // How much longer than its message a text of any length may be.
    private const int MessageFormBytes = 4096;

    // The message is written in steps, so that the progress of gpg is seen after each of them.
    private const int StepBytes = 1 << 20;

    /// <summary>
    /// For a sound volume gpg writes less than 1 KiB of status lines; a volume that causes more
    /// than this is refused.
    /// </summary>
    private const int MaxStatusChars = 64 * 1024;

    private readonly string program;
    private readonly bool allowsKeys;
    private readonly TimeSpan? patience;
    private readonly byte[] passphraseLine;
    private readonly BufferPool pool;
    private readonly SemaphoreSlim longTexts = new(1);

    /// <param name="patience">How long gpg may take and print nothing; null for no limit.</param>
    public GpgCipher(
        string program,
        string passphrase,
        BufferPool pool,
        bool allowsKeys = false,
        TimeSpan? patience = null
    )
    {
        // gpg reads the passphrase as the first line of its input. A line break would cut it, and
        // the rest would be read as the message.
        if (passphrase.AsSpan().IndexOfAny('\n', '\0') >= 0)
        {
            throw new RestoreException(RestoreErrorCode.PassphraseMultiline, "gpg takes a passphrase of one line only");
        }

        this.program = program;
        this.allowsKeys = allowsKeys;
        this.patience = patience;
        this.pool = pool;
        passphraseLine = Encoding.UTF8.GetBytes(passphrase + "\n");
    }

    public ValueTask<DecryptedVolume> DecryptAsync(
        PooledBuffer volume,
        CancellationToken cancellationToken = default
    ) => DecryptAsync(volume, () => ValueTask.FromResult<IDisposable?>(null), cancellationToken);

    public ValueTask<DecryptedVolume> DecryptInTurnAsync(PooledBuffer volume, CancellationToken cancellationToken)
    {
        return DecryptAsync(volume, TurnAsync, cancellationToken);

        async ValueTask<IDisposable?> TurnAsync()
        {
            await longTexts.WaitAsync(cancellationToken).ConfigureAwait(false);
            return new SemaphorePlace(longTexts);
        }
    }

    private async ValueTask<DecryptedVolume> DecryptAsync(
        PooledBuffer volume,
        Func<ValueTask<IDisposable?>> turn,
        CancellationToken cancellationToken
    )
    {
        using PooledBuffer message = volume;
        if (message.Length == 0)
        {
            throw new InvalidDataException("The volume is empty");
        }

        cancellationToken.ThrowIfCancellationRequested();
        ChildProcess gpg = GpgProgram.StartDecryption(program, patience);
        await using ConfiguredAsyncDisposable ending = gpg.ConfigureAwait(false);
        using CancellationTokenRegistration killing = cancellationToken.Register(gpg.Kill);
        using var text = new BoundedOutput(
            pool,
            UsualTextBytes(message.Length),
            MaxTextBytes(message.Length),
            TurnAsync
        );

        // All three pipes concurrently: gpg blocks on a pipe that is not read, and then the other
        // two block as well.
        var status = new StringBuilder();
        Task pumps = Task.WhenAll(
            EndedOnFailure(gpg, FeedAsync(gpg, message.Memory)),
            EndedOnFailure(gpg, text.ReadAsync(gpg.Output.BaseStream, gpg.Progress)),
            EndedOnFailure(gpg, ListenAsync(gpg, status))
        );
        bool isDrained = await gpg.IsDrainedAsync(pumps).ConfigureAwait(false);
        if (!isDrained)
        {
            // A pump that has not ended may still read or write this memory, however late.
            text.Lose();
            message.Lose();
        }

        cancellationToken.ThrowIfCancellationRequested();
        if (gpg.HasStalled || !isDrained)
        {
            throw Unusable(gpg.HasStalled);
        }

        await gpg.ExitCodeAsync(cancellationToken).ConfigureAwait(false);
        return TextOf(status.ToString(), text);

        async ValueTask<IDisposable?> TurnAsync()
        {
            // gpg waits too while its text waits for a turn. That time does not count as a stall.
            gpg.Pause();
            IDisposable? place = await turn().ConfigureAwait(false);
            gpg.Progress();
            return place;
        }
    }

    private RestoreException Unusable(bool hasStalled) =>
        new(
            RestoreErrorCode.GpgUnusable,
            hasStalled
                ? string.Create(
                    CultureInfo.InvariantCulture,
                    $"gpg took nothing and printed nothing for {patience!.Value.TotalSeconds:0.###} s, and was ended"
                )
                : "gpg has ended, and a program that it started keeps its output open",
            program
        );

    private DecryptedVolume TextOf(string status, BoundedOutput text)
    {
        switch (GpgStatus.ResultOf(status, allowsKeys))
        {
            case GpgResult.Authentic:
                return new DecryptedVolume(text.Detach(), 0, text.Length, Authentic: true, Defect: null);
            case GpgResult.Damaged:
                string defect = $"The volume was damaged or cut after it was made ({GpgStatus.SentencesOf(status)})";
                return new DecryptedVolume(text.Detach(), 0, text.Length, Authentic: false, defect);
            case GpgResult.WrongPassphrase:
                throw new PassphraseException("The passphrase does not open the volume, or its header is damaged");
            case GpgResult.ToKey:
                throw new InvalidDataException(
                    "The volume is encrypted to a key, not with the passphrase: anyone who has the public key could have made it"
                ).With(IssueCode.EncryptedToKey);
            default:
                throw new InvalidDataException(
                    $"The volume is not an OpenPGP message that gpg can open ({GpgStatus.SentencesOf(status)})"
                );
        }
    }

    private async Task FeedAsync(ChildProcess gpg, ReadOnlyMemory<byte> message)
    {
        try
        {
            Stream input = gpg.Input.BaseStream;
            await using (input.ConfigureAwait(false))
            {
                await input.WriteAsync(passphraseLine).ConfigureAwait(false);
                int length = OpenPgpMessage.LengthOf(message.Span);
                for (int at = 0; at < length; at += StepBytes)
                {
                    await input.WriteAsync(message.Slice(at, Math.Min(StepBytes, length - at))).ConfigureAwait(false);
                    gpg.Progress();
                }
            }
        }
        catch (IOException)
        {
            // gpg stopped reading; its status lines say why.
        }
    }

    private static async Task ListenAsync(ChildProcess gpg, StringBuilder status)
    {
        var part = new char[4096];
        while (await gpg.Errors.ReadAsync(part).ConfigureAwait(false) is > 0 and int count)
        {
            gpg.Progress();
            status.Append(part, 0, count);
            if (status.Length > MaxStatusChars)
            {
                throw new InvalidDataException(
                    $"The volume made gpg write more than {MaxStatusChars} characters of complaints"
                );
            }
        }
    }

    /// <summary>Ends gpg if a pump fails, so that the other pumps end.</summary>
    private static async Task EndedOnFailure(ChildProcess gpg, Task pump)
    {
        try
        {
            await pump.ConfigureAwait(false);
        }
        catch
        {
            gpg.Kill();
            throw;
        }
    }

    private static int UsualTextBytes(int messageBytes) =>
        (int)Math.Min(messageBytes + messageBytes / 8L + MessageFormBytes, Array.MaxLength - 1L);

    private static int MaxTextBytes(int messageBytes) =>
        (int)
            Math.Max(
                UsualTextBytes(messageBytes),
                Math.Min(MaxGrowth * (long)messageBytes + GrowthAllowanceBytes, MaxGrownBytes)
            );
}

internal static class GpgProgram
{
    private static readonly string[] Arguments =
    [
        "--batch",
        "--no-tty",
        "--quiet",
        // Decryption must not depend on a user's gpg.conf, which could turn the integrity check
        // off. Without options gpg creates no home folder.
        "--no-options",
        // Without loopback, gpg since 2.1 asks its agent for the passphrase instead of the file
        // descriptor.
        "--pinentry-mode",
        "loopback",
        "--passphrase-fd",
        "0",
        "--status-fd",
        "2",
        "--decrypt",
    ];

    /// <summary>Finds the named program, otherwise gpg2 or gpg on the search path.</summary>
    public static string Find(string? namedPath, string? searchPath)
    {
        if (namedPath is not null)
        {
            return File.Exists(namedPath)
                ? Path.GetFullPath(namedPath)
                : throw new RestoreException(
                    RestoreErrorCode.GpgMissing,
                    "There is no gpg program at the given path",
                    namedPath
                );
        }

        return SystemPrograms.Find("gpg2", searchPath)
            ?? SystemPrograms.Find("gpg", searchPath)
            ?? throw new RestoreException(
                RestoreErrorCode.GpgMissing,
                "The backup is encrypted with GnuPG, and there is no gpg program on the search path"
            );
    }

    /// <summary>
    /// Input: passphrase line and message. Output: the text. Error stream: status lines.
    /// </summary>
    public static ChildProcess StartDecryption(string program, TimeSpan? patience)
    {
        ProcessStartInfo start = SystemPrograms.StartInfo(program, Arguments);

        // gpg's sentences become part of messages of this program, which are in English.
        start.Environment["LC_ALL"] = "C";
        try
        {
            return new ChildProcess(start, readsErrors: false, ownGroup: true, patience: patience);
        }
        catch (RestoreException failure)
        {
            throw new RestoreException(
                RestoreErrorCode.GpgUnusable,
                $"gpg cannot be started: {failure.InnerException!.Reason()}",
                program,
                failure
            );
        }
    }
}
