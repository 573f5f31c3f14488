namespace Restore.Jobs;

/// <summary>
/// Reads the exported configuration of a job: JSON, or JSON in an AES Crypt stream.
/// </summary>
internal static class ExportedJob
{
    private const int MaxBytes = 16 << 20;
    private const int PartBytes = 64 << 10;

    private static readonly TimeSpan WriterWait = TimeSpan.FromSeconds(5);

    public static async Task<DuplicatiJob> ReadAsync(
        string path,
        string? passphrase,
        CancellationToken cancellationToken
    )
    {
        byte[] bytes = await ReadFileAsync(path, cancellationToken).ConfigureAwait(false);
        try
        {
            if (bytes.AsSpan().StartsWith("AES"u8))
            {
                bytes = !string.IsNullOrEmpty(passphrase)
                    ? await AesText.DecryptAsync(bytes, passphrase, cancellationToken).ConfigureAwait(false)
                    : throw new RestoreException(
                        RestoreErrorCode.JobFilePassphraseMissing,
                        "The exported configuration is encrypted and no passphrase was given",
                        path
                    );
            }

            using JsonDocument document = JsonDocument.Parse(WithoutMark(bytes));
            return
                document.RootElement.ValueKind == JsonValueKind.Object
                && document.RootElement.TryGetProperty("Backup", out JsonElement backup)
                && backup.ValueKind == JsonValueKind.Object
                ? await ReadAsync(path, backup, cancellationToken).ConfigureAwait(false)
                : throw Unusable(
                    "The file is not the exported configuration of a job: it has no object 'Backup'",
                    path
                );
        }
        catch (PassphraseException failure)
        {
            throw new RestoreException(
                RestoreErrorCode.JobFilePassphraseWrong,
                "The passphrase does not open the exported configuration",
                path,
                failure
            );
        }
        catch (InvalidDataException failure)
        {
            throw Unusable("The exported configuration is damaged", path, failure);
        }
        catch (InvalidOperationException failure)
        {
            // Bytes that are not UTF-8, or half of a surrogate pair: it is noticed when it is read.
            throw Unusable("The exported configuration has a text that is not valid Unicode", path, failure);
        }
        catch (JsonException failure)
        {
            // The text of the failure can quote a part of the file.
            throw Unusable($"The exported configuration is not valid JSON (line {failure.LineNumber + 1})", path);
        }
    }

    /// <summary>
    /// Opens the file. If it is a pipe, the system waits until another process opens it for
    /// writing, and nothing can end that wait.
    /// </summary>
    private static async Task<FileStream> OpenAsync(string path, CancellationToken cancellationToken)
    {
        Task<FileStream> opening = new OwnThreads().RunAsync(() =>
            new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite)
        );
        try
        {
            return await opening.WaitAsync(WriterWait, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is TimeoutException or OperationCanceledException)
        {
            _ = CloseAsync(opening);
            throw;
        }
    }

    private static async Task CloseAsync(Task<FileStream> opening)
    {
        try
        {
            await (await opening.ConfigureAwait(false)).DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // The caller stopped waiting for this file, so the failure concerns no one.
        }
    }

    private static async Task<byte[]> ReadFileAsync(string path, CancellationToken cancellationToken)
    {
        try
        {
            FileStream file = await OpenAsync(path, cancellationToken).ConfigureAwait(false);
            await using (file.ConfigureAwait(false))
            {
                // The length is not asked for: a pipe has none.
                using MemoryStream bytes = new();
                byte[] part = new byte[PartBytes];
                int read;
                while ((read = await file.ReadAsync(part, cancellationToken).ConfigureAwait(false)) > 0)
                {
                    bytes.Write(part, 0, read);
                    if (bytes.Length > MaxBytes)
                    {
                        throw Unusable("The file is too large for an exported configuration", path);
                    }
                }

                return bytes.ToArray();
            }
        }
        catch (TimeoutException failure)
        {
            throw Unusable("The exported configuration is a pipe that nothing writes into", path, failure);
        }
        catch (Exception failure) when (failure is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new RestoreException(
                RestoreErrorCode.JobFileNotFound,
                "There is no such exported configuration",
                path,
                failure
            );
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw Unusable($"The exported configuration cannot be read: {failure.Reason()}", path, failure);
        }
    }

    private static async Task<DuplicatiJob> ReadAsync(
        string path,
        JsonElement backup,
        CancellationToken cancellationToken
    )
    {
        JobBuilder job = new(new SettingsKey(null), path, Text(backup, "ID"), Text(backup, "Name"))
        {
            DatabasePath = Text(backup, "DBPath") is { Length: > 0 } database ? database : null,
        };
        await job.SetLocationAsync(Text(backup, "TargetURL"), cancellationToken).ConfigureAwait(false);
        foreach (JsonElement setting in Objects(backup, "Settings"))
        {
            await job.AddOptionAsync(Text(setting, "Name"), Text(setting, "Value"), cancellationToken)
                .ConfigureAwait(false);
        }

        foreach (
            JsonElement source in Elements(backup, "Sources").Where(source => source.ValueKind == JsonValueKind.String)
        )
        {
            await job.AddSourceAsync(source.GetString()!, cancellationToken).ConfigureAwait(false);
        }

        foreach (JsonElement filter in Objects(backup, "Filters").OrderBy(filter => Number(filter, "Order")))
        {
            job.AddFilter(
                filter.TryGetProperty("Include", out JsonElement include) && include.ValueKind == JsonValueKind.True,
                Text(filter, "Expression")
            );
        }

        return job.ToJob();
    }

    private static ReadOnlyMemory<byte> WithoutMark(byte[] bytes) =>
        bytes.AsSpan().StartsWith("\uFEFF"u8) ? bytes.AsMemory(3) : bytes;

    private static string Text(JsonElement element, string name) =>
        element.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.String
            ? value.GetString()!
            : "";

    private static long Number(JsonElement element, string name) =>
        element.TryGetProperty(name, out JsonElement value)
        && value.ValueKind == JsonValueKind.Number
        && value.TryGetInt64(out long number)
            ? number
            : 0;

    private static IEnumerable<JsonElement> Elements(JsonElement element, string name) =>
        element.TryGetProperty(name, out JsonElement list) && list.ValueKind == JsonValueKind.Array
            ? list.EnumerateArray()
            : [];

    private static IEnumerable<JsonElement> Objects(JsonElement element, string name) =>
        Elements(element, name).Where(item => item.ValueKind == JsonValueKind.Object);

    private static RestoreException Unusable(string what, string path, Exception? cause = null) =>
        new(RestoreErrorCode.JobFileUnusable, what, path, cause);
}
