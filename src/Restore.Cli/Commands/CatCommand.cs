using System.Buffers;
using Restore.Interop;

namespace Restore.Cli.Commands;

internal sealed class CatCommand(SharedOptions shared) : ICliCommand
{
    private const int BufferBytes = 1 << 20;

    private readonly Option<long?> firstByte = Declare.Size(
        "--offset",
        "b",
        "0b",
        "1000tb",
        "0",
        "First byte, counted from 0; 10mb is 10 MiB"
    );

    private readonly Option<long?> mostBytes = Declare.Size("--count", "b", "0b", "1000tb", "all", "Most bytes");

    public string Name => "cat";

    public string Summary => "write one file to the standard output";

    public IReadOnlyList<Operand> Operands =>
        [Operand.Storage, new Operand("<path>", "the full original path, as 'restore ls' prints it")];

    public IReadOnlyList<OptionGroup> Options =>
        [shared.Version, new("Selection", [firstByte, mostBytes, shared.OutputFile]), shared.Access, shared.Program];

    public IReadOnlyList<string> Examples =>
        [
            "restore cat /mnt/backup /home/ann/notes.txt",
            "restore cat /mnt/backup /home/ann/taxes-2025.ods --offset=1kb --count=100b",
        ];

    public Task<int> RunAsync(CommandContext context) =>
        context.WithBackupAsync(async backup =>
        {
            if (context.Request.Operands is not [var name])
            {
                throw new UsageException("Name one file, with its full original path");
            }

            var count = context.Line.Value(mostBytes) ?? long.MaxValue;
            var stop = context.Environment.StopToken;
            var version = context.ChooseVersion(backup);
            await using var file = await OpenAsync(context, backup, version, name);
            var place = context.Line.Value(shared.OutputFile);
            using var made = place is null ? null : Make(place);
            await using var output = made?.Stream ?? context.Environment.OpenOutput();
            file.Position = context.Line.Value(firstByte) ?? 0;
            var buffer = ArrayPool<byte>.Shared.Rent(BufferBytes);
            try
            {
                int read;
                while (
                    count > 0
                    && (read = await file.ReadAsync(buffer.AsMemory(0, (int)Math.Min(buffer.Length, count)), stop)) > 0
                )
                {
                    await WriteAsync(output, buffer.AsMemory(0, read), stop);
                    count -= read;
                }

                made?.Commit();
            }
            catch (OutputClosedException)
            {
                return ExitCodes.Failed;
            }
            catch (IOException failure)
            {
                // The rest of the entry cannot be read. On a pipe, what was written before stays; a
                // file of --output is dropped, because it is not committed.
                context.Messages.WriteLine(failure.Message);
                return ExitCodes.Incomplete;
            }
            finally
            {
                ArrayPool<byte>.Shared.Return(buffer);
            }

            return ExitCodes.Complete;
        });

    /// <summary>
    /// Opens what has the path as it is written, or else what the argument names.
    /// </summary>
    private static async Task<Stream> OpenAsync(
        CommandContext context,
        Backup backup,
        BackupVersion version,
        string name
    )
    {
        var written = EntryLookup.Written(name);
        try
        {
            return await backup.OpenEntryAsync(version, written, context.Environment.StopToken);
        }
        catch (RestoreException failure) when (failure.Code == RestoreErrorCode.EntryNotFound)
        {
            if (await EntryLookup.ToPathAsync(context, backup, [version], name) is { } path && path != written)
            {
                return await backup.OpenEntryAsync(version, path, context.Environment.StopToken);
            }

            throw;
        }
    }

    private static async ValueTask WriteAsync(
        Stream output,
        ReadOnlyMemory<byte> bytes,
        CancellationToken cancellationToken
    )
    {
        try
        {
            await output.WriteAsync(bytes, cancellationToken);
        }
        catch (IOException failure) when (failure is not OutputClosedException)
        {
            // Another type of exception: the caller takes an IOException for a damaged backup.
            throw OutputFailure.Of(failure, "The file");
        }
    }

    private static AtomicFile Make(string path)
    {
        OutputFile.Check("--output", path);
        return File.Exists(path)
            ? throw new RestoreException(RestoreErrorCode.OutputExists, "The file exists already", path)
            : new AtomicFile(path, AtomicFileOptions.Private);
    }
}
