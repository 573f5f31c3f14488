using System.Security.Cryptography;

namespace Restore.Cli.Commands;

/// <summary>
/// Makes a small encrypted backup in a temporary folder and reads it back: processor, memory,
/// libraries and disk work together.
/// </summary>
internal static class SelfTrial
{
    private const int FileBytes = 1 << 20;
    private const int Files = 8;

    public static async Task<IEnumerable<CheckedPart>> RunAsync(CommandContext context)
    {
        string? folder = null;
        try
        {
            folder = Directory.CreateTempSubdirectory("restore-self-check-").FullName;
            return await RunAsync(folder, TimeProvider.System, context.Environment.StopToken);
        }
        catch (Exception failure) when (failure is RestoreException or IOException or UnauthorizedAccessException)
        {
            return [new("trial", PartState.Wrong, $"a small backup could not be made and read ({failure.Message})")];
        }
        finally
        {
            if (folder is not null)
            {
                Directory.Delete(folder, recursive: true);
            }
        }
    }

    private static async Task<IEnumerable<CheckedPart>> RunAsync(
        string folder,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        var start = clock.GetTimestamp();
        var (source, destination) = (Path.Combine(folder, "source"), Path.Combine(folder, "backup"));
        Directory.CreateDirectory(source);
        for (var file = 0; file < Files; file++)
        {
            // Half of each file shrinks.
            var content = new byte[FileBytes];
            RandomNumberGenerator.Fill(content.AsSpan(0, FileBytes / 2));
            await File.WriteAllBytesAsync(Path.Combine(source, $"{file}"), content, cancellationToken);
        }

        var passphrase = Convert.ToHexString(RandomNumberGenerator.GetBytes(16));
        await new BackupWriter(
            new()
            {
                Sources = [source],
                Destination = destination,
                Passphrase = passphrase,
            }
        ).WriteAsync(cancellationToken);
        await using var backup = await Backup.OpenAsync(
            destination,
            new BackupOptions { Passphrase = passphrase },
            cancellationToken
        );
        var plan = await backup.PlanAsync(
            backup.Versions[0],
            new RestoreOptions { VerifyOnly = true },
            cancellationToken: cancellationToken
        );
        var report = await backup.ExecuteAsync(plan, new ExecuteOptions { Profile = true }, cancellationToken);
        var isRight = report.IsComplete && report.FilesRestored == Files;
        return
        [
            Codecs(report),
            isRight
                ? new(
                    "trial",
                    PartState.Ok,
                    $"a backup of {Units.Bytes(Files * FileBytes)} made, encrypted, read and verified in {Units.Duration(clock.GetElapsedTime(start))}"
                )
                : new(
                    "trial",
                    PartState.Wrong,
                    "a backup made here is not right when it is read: suspect memory, processor or disk"
                ),
        ];
    }

    private static CheckedPart Codecs(RestoreReport report)
    {
        var text = report.Choices.FirstOrDefault(choice => choice.Contains("Deflate", StringComparison.Ordinal)) ?? "";
        return text.Contains("libdeflate", StringComparison.Ordinal) ? new("codecs", PartState.Ok, text)
            : OperatingSystem.IsWindows() ? new("codecs", PartState.Ok, text)
            : new(
                "codecs",
                PartState.Missing,
                $"{text}; with libdeflate (apt install libdeflate0) decompression is faster"
            );
    }
}
