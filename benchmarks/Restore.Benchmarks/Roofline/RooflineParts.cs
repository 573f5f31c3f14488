using Restore.Benchmarks.Measuring;
using Restore.Compression;
using Restore.Encryption;
using Restore.Format;
using Restore.Memory;

namespace Restore.Benchmarks.Roofline;

/// <summary>
/// Measures the parts, in a process of its own: each alone on all cores, by the fastest library
/// that a restore may use, on the bytes of a data set and its backup. What a part needs (bytes in
/// memory, folders) is prepared outside of its time.
/// </summary>
internal static class RooflineParts
{
    public static async Task<int> RunAsync(Arguments arguments, TextWriter output)
    {
        string source = arguments.Positional(0, "the folder with the data");
        string backup = arguments.Positional(1, "the folder with its backup");
        string target = arguments.Positional(2, "a folder to write to");
        string? passphrase = arguments.Text("passphrase");
        arguments.RequireAllUsed();
        await foreach (
            RooflinePart part in MeasureAsync(ItemsOf(source, "*"), ItemsOf(backup, "*.dblock.*"), target, passphrase)
        )
        {
            await output.WriteLineAsync(RooflineRun.Format([part]).Single());
        }

        return 0;
    }

    private static async IAsyncEnumerable<RooflinePart> MeasureAsync(
        RooflineItem[] files,
        RooflineItem[] volumes,
        string target,
        string? passphrase
    )
    {
        BufferPool pool = new();
        Codecs codecs = new();
        VolumeCiphers ciphers = new(new CipherOptions(passphrase), pool);
        EncryptionKind encryption = passphrase is null ? EncryptionKind.None : EncryptionKind.Aes;
        RooflineItem[] encrypted = passphrase is null ? [] : volumes;
        yield return await Worker.RunAsync(RooflinePart.Read, volumes, () => new PieceWorker(PieceWork.Read));
        yield return await Worker.RunAsync(
            RooflinePart.Authenticate,
            encrypted,
            () => new PieceWorker(PieceWork.Authenticate)
        );
        yield return await Worker.RunAsync(RooflinePart.Decrypt, encrypted, () => new PieceWorker(PieceWork.Decrypt));
        yield return await Worker.RunAsync(
            RooflinePart.Entries,
            volumes,
            () => new EntryWorker(codecs, ciphers, encryption, pool)
        );
        yield return await Worker.RunAsync(RooflinePart.Hash, files, () => new PieceWorker(PieceWork.Hash));
        foreach (
            (string name, bool isDirect) in new[]
            {
                (RooflinePart.WriteCached, false),
                (RooflinePart.WriteDirect, true),
            }
        )
        {
            string folder = Path.Combine(target, isDirect ? "direct" : "cache");
            foreach (
                string one in files.Select(file => Path.GetDirectoryName(Path.Combine(folder, file.Name))!).Distinct()
            )
            {
                Directory.CreateDirectory(one);
            }

            Machine.Sync();
            yield return await Worker.RunAsync(name, files, () => new WriteWorker(folder, isDirect));
        }
    }

    private static RooflineItem[] ItemsOf(string folder, string pattern) =>
        [
            .. new DirectoryInfo(folder)
                .EnumerateFiles(pattern, SearchOption.AllDirectories)
                .OrderBy(file => file.FullName, StringComparer.Ordinal)
                .Select(file => new RooflineItem(
                    file.FullName,
                    Path.GetRelativePath(folder, file.FullName),
                    file.Length
                )),
        ];
}
