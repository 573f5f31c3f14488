using System.Buffers;
using Restore.Resume;
using Restore.Tests.Ends;

namespace Restore.Tests.Support;

/// <summary>What a killed run leaves: a record, and the partial files that it names.</summary>
internal static class PartialFiles
{
    // Further than the plans of the tests have entries.
    private const int Number = 7777;

    /// <summary>
    /// Leaves a partial file as a killed run does: in the middle of being written, and its own
    /// alone.
    /// </summary>
    /// <param name="record">The record of the run.</param>
    /// <param name="path">The path that the file is to get, as records name it.</param>
    /// <param name="content">What is written so far.</param>
    /// <param name="root">The root of the target; that of the file system for original
    /// places.</param>
    /// <returns>The path of the partial file.</returns>
    public static string Leave(string record, string path, ReadOnlySpan<byte> content, string root)
    {
        string partial = Path.Join(
            root,
            RecordNames.NextTo(path, RecordNames.Partial(RecordNames.RunOf(Path.GetFileName(record)), Number))
        );
        Directory.CreateDirectory(Path.GetDirectoryName(partial)!);
        ArrayBufferWriter<byte> item = new();
        RecordFormat.Write(item, Number, path);
        using (FileStream file = Open(record))
        {
            // The run itself has at most one for a path: without its name the one that it left by
            // now would stay.
            byte[] before = new byte[file.Length];
            file.ReadExactly(before);
            if (RecordFormat.Read(before, Path.GetFileName(record))?.Partials.GetValueOrDefault(path) is string own)
            {
                File.Delete(Path.Join(root, own));
            }

            file.Write(item.WrittenSpan);
        }

        File.WriteAllBytes(partial, content);
        Native.SetMode(partial, 0x380);
        return partial;
    }

    /// <summary>
    /// A process that another test starts has a copy of the record's lock, from its fork to its
    /// start.
    /// </summary>
    private static FileStream Open(string record)
    {
        FileStream? file = null;
        Assert.True(SpinWait.SpinUntil(() => (file = TryOpen(record)) is not null, TimeSpan.FromSeconds(30)));
        return file!;
    }

    private static FileStream? TryOpen(string record)
    {
        try
        {
            return new FileStream(record, FileMode.Open, FileAccess.ReadWrite);
        }
        catch (IOException)
        {
            return null;
        }
    }
}
