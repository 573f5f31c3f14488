namespace Restore.Tests.Ends;

public abstract partial class TargetConformance
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    public void A_large_file_reads_as_written_whatever_the_pieces_and_their_order(int seed)
    {
        const int Size = 5 << 20;
        Random random = new(seed);
        byte[] expected = new byte[Size];
        using IRestoreTarget target = Open(Temp.Root);
        int length = 0;
        using (ITargetFile file = target.OpenFile("file", TargetOpenMode.CreateNew, Size))
        {
            bool readsBetween = seed % 2 == 0;
            for (int offset = 0; offset < Size; )
            {
                // Mostly one piece after the other; sometimes a hole is left, sometimes an earlier
                // place is written again.
                int at = random.Next(8) == 0 ? random.Next(Size) : offset;
                byte[] piece = Bytes(Math.Min(Size - at, seed == 5 ? 102_400 : random.Next(1, 700_000)), random.Next());
                file.Write(at, piece);
                piece.CopyTo(expected, at);
                length = Math.Max(length, at + piece.Length);
                offset = at + piece.Length;
                if (readsBetween && random.Next(6) == 0)
                {
                    byte[] seen = new byte[piece.Length];
                    Assert.Equal(piece.Length, file.Read(at, seen));
                    Assert.Equal(piece, seen);
                    Assert.Equal(length, file.Length);
                }
            }
        }

        Assert.Equal(expected, File.ReadAllBytes(Temp.In("file")));
    }

    [Theory]
    [InlineData(1 << 20)]
    [InlineData(102_400)]
    [InlineData(333_333)]
    public async Task Many_large_files_that_are_written_side_by_side_have_their_own_bytes(int pieceBytes)
    {
        // More than there are buffers for, from two sides at the same time as FileProcessors do, so
        // that each is left and taken up again.
        const int Size = (3 << 20) + 77;
        using IRestoreTarget target = Open(Temp.Root);
        await Task.WhenAll(Task.Run(() => WriteInTurns("left")), Task.Run(() => WriteInTurns("right")));
        foreach (int file in Enumerable.Range(0, 12))
        {
            Assert.Equal(Bytes(Size, file), File.ReadAllBytes(Temp.In($"left{file}")));
            Assert.Equal(Bytes(Size, file), File.ReadAllBytes(Temp.In($"right{file}")));
        }

        void WriteInTurns(string name)
        {
            byte[][] contents = [.. Enumerable.Range(0, 12).Select(file => Bytes(Size, file))];
            ITargetFile[] files =
            [
                .. contents.Select((_, file) => target.OpenFile($"{name}{file}", TargetOpenMode.CreateNew, Size)),
            ];
            for (int offset = 0; offset < Size; offset += pieceBytes)
            {
                for (int file = 0; file < files.Length; file++)
                {
                    files[file].Write(offset, contents[file].AsSpan(offset, Math.Min(pieceBytes, Size - offset)));
                }
            }

            foreach (ITargetFile file in files)
            {
                file.Dispose();
            }
        }
    }

    [Fact]
    public void A_large_file_gets_its_length_and_time_after_what_was_written_last()
    {
        const long Ticks = 637_000_000_000_000_000;
        byte[] content = Bytes((2 << 20) + 123);
        using IRestoreTarget target = Open(Temp.Root);
        using (ITargetFile file = target.OpenFile("file", TargetOpenMode.CreateNew, content.Length))
        {
            file.Write(0, content);
            file.SetLength(content.Length + 7);
            file.SetModified(Ticks);
            Assert.Equal(Ticks, file.ModifiedTicks);
        }

        Assert.Equal([.. content, .. new byte[7]], File.ReadAllBytes(Temp.In("file")));
        Assert.Equal(Ticks, target.Inspect("file").ModifiedTicks);
    }
}
