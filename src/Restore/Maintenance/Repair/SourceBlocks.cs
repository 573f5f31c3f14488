using Microsoft.Win32.SafeHandles;
using Restore.Writing.Source;

namespace Restore.Maintenance.Repair;

/// <summary>
/// Finds lost blocks in a local file. The file is cut into blocks as a backup cuts it, in groups of
/// the blocks of one blocklist. A group is hashed first, and only its wanted blocks are read again:
/// which blocks a lost blocklist needs is known only now, and a group of a large file does not fit
/// into memory.
/// </summary>
internal sealed class SourceBlocks(LostBlocks lost)
{
    private readonly byte[] block = new byte[lost.Layout.BlockSizeBytes];
    private readonly MetadataReader metadata = new(isSkipped: false, lost.Layout);

    /// <summary>
    /// Returns the wanted blocks of a file. A block is returned once, regardless of how many files
    /// have it.
    /// </summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">The file may not be read.</exception>
    public IEnumerable<AddedBlock> OfContent(string path)
    {
        using SafeFileHandle file = File.OpenHandle(
            path,
            FileMode.Open,
            FileAccess.Read,
            FileShare.ReadWrite | FileShare.Delete,
            FileOptions.SequentialScan
        );
        long length = RandomAccess.GetLength(file);
        long groupBytes = (long)lost.Layout.HashesPerBlocklist * lost.Layout.BlockSizeBytes;
        for (long start = 0; start < length; start += groupBytes)
        {
            long end = Math.Min(length, start + groupBytes);
            foreach (
                AddedBlock added in OfGroup(
                    offset => file.ReadFully(offset, block),
                    start,
                    end,
                    isWhole: length <= block.Length
                )
            )
            {
                yield return added;
            }
        }
    }

    /// <summary>
    /// Returns the wanted blocks of the metadata of an entry, as a backup would store it now.
    /// </summary>
    /// <exception cref="IOException">The entry cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">The entry may not be looked at.</exception>
    public IEnumerable<AddedBlock> OfMetadata(string path)
    {
        SourceStatus status = SourceStatus.Read(path);
        if (status.Kind is not { } kind)
        {
            return [];
        }

        byte[] blob = metadata.Read(new SourceEntry(path, kind, status), Kernel.CurrentFolder);
        return OfGroup(
            offset =>
            {
                int count = Math.Min(block.Length, blob.Length - (int)offset);
                blob.AsSpan((int)offset, count).CopyTo(block);
                return count;
            },
            start: 0,
            blob.Length,
            isWhole: blob.Length <= block.Length
        );
    }

    private IEnumerable<AddedBlock> OfGroup(Func<long, int> read, long start, long end, bool isWhole)
    {
        int hashLength = lost.Layout.BlockHash.LengthBytes();
        byte[] list = new byte[lost.Layout.BlockCount(end - start) * hashLength];
        bool[] isWanted = new bool[list.Length / hashLength];
        for (int index = 0; index < isWanted.Length; index++)
        {
            int size = read(start + ((long)index * block.Length));
            byte[] hash = lost.Layout.BlockHash.HashData(block.AsSpan(0, size));
            hash.CopyTo(list, index * hashLength);
            isWanted[index] = size > 0 && lost.IsWanted(hash, size);
        }

        byte[] listHash = lost.Layout.BlockHash.HashData(list);

        // If the blocklist of this group was lost, its blocks were unknown until now, and no entry
        // refers to them yet: all of them that no volume has are taken.
        bool isLostList = !isWhole && lost.IsWanted(listHash, list.Length);
        if (isLostList)
        {
            lost.NoteFound(listHash, list.Length);
            yield return new AddedBlock(list, IsList: true);
        }

        for (int index = 0; index < isWanted.Length; index++)
        {
            if (!isWanted[index] && !isLostList)
            {
                continue;
            }

            // The file may have changed since it was hashed: what is read now must still be the
            // block.
            int size = read(start + ((long)index * block.Length));
            byte[] hash = lost.Layout.BlockHash.HashData(block.AsSpan(0, size));
            if (hash.AsSpan().SequenceEqual(list.AsSpan(index * hashLength, hashLength)) && lost.IsAbsent(hash, size))
            {
                lost.NoteFound(hash, size);
                yield return new AddedBlock(block[..size]);
            }
        }
    }
}
