using Restore.Catalog;
using Restore.Csp;
using Restore.Memory;
using Restore.Planning;
using Restore.Reading;
using Restore.Restoring;
using Restore.Tests.Csp;

namespace Restore.Tests.Restoring;

/// <summary>One process, fed with a list of work; the target is memory.</summary>
public sealed class FileProcessorTests : IDisposable
{
    private const int BlockSizeBytes = MadeVersion.BlockSizeBytes;

    private readonly BufferPool pool = new();
    private readonly MemoryTarget target = new();

    [Fact]
    public async Task A_file_whose_blocks_come_in_order_is_verified_without_reading_it_back()
    {
        byte[] content = MadeVersion.Content(1, (3 * BlockSizeBytes) + 10);
        FileOutcome outcome = Assert.Single(
            await RunAsync(
                MadeVersion.PlanToCreate(("a", content)),
                [Block(0, 0), Block(0, 1), Block(0, 2), Block(0, 3), Finish(0)],
                content
            )
        );

        Assert.Equal((OutcomeKind.Restored, (long)content.Length), (outcome.Kind, outcome.BytesWritten));
        Assert.Equal(content, target.Files["a"]);
        Assert.Equal(0, target.BytesRead);
    }

    [Fact]
    public async Task A_file_whose_blocks_come_out_of_order_is_verified_by_reading_it_back()
    {
        byte[] content = MadeVersion.Content(1, 3 * BlockSizeBytes);
        FileOutcome outcome = Assert.Single(
            await RunAsync(
                MadeVersion.PlanToCreate(("a", content)),
                [Block(0, 0), Block(0, 2), Block(0, 1), Finish(0)],
                content
            )
        );

        Assert.Equal(OutcomeKind.Restored, outcome.Kind);
        Assert.Equal(content, target.Files["a"]);
        Assert.Equal(content.Length, target.BytesRead);
    }

    [Fact]
    public async Task A_file_whose_whole_has_another_hash_is_unverified()
    {
        byte[] content = MadeVersion.Content(1, 2 * BlockSizeBytes);
        FileOutcome outcome = Assert.Single(
            await RunAsync(
                MadeVersion.PlanToCreate(MadeVersion.Of([("a", content)], fileHash: new byte[32])),
                [Block(0, 0), Block(0, 1), Finish(0)],
                content
            )
        );
        Assert.Equal((OutcomeKind.Unverified, 0), (outcome.Kind, outcome.WrongBlocks.Count));
        Assert.Equal(content, target.Files["a"]);
    }

    [Fact]
    public async Task A_wrong_block_that_was_left_to_the_file_hash_is_reported_and_removed()
    {
        byte[] content = MadeVersion.Content(1, 3 * BlockSizeBytes);
        PassPlan plan = MadeVersion.PlanToCreate(("a", content));
        FileOutcome outcome = Assert.Single(
            await RunAsync(plan, [Block(0, 0), Block(0, 1, from: 2), Block(0, 2), Finish(0)], content)
        );

        Assert.Equal((OutcomeKind.Incomplete, true), (outcome.Kind, outcome.IsStarted));
        Assert.Equal(plan.BlockOf(new EntryId(0), Item.Content(1)), Assert.Single(outcome.WrongBlocks));
        Assert.Equal(
            [.. content[..BlockSizeBytes], .. new byte[BlockSizeBytes], .. content[(2 * BlockSizeBytes)..]],
            target.Files["a"]
        );
    }

    [Fact]
    public async Task A_wrong_block_of_a_file_that_lacks_others_is_reported_too()
    {
        byte[] content = MadeVersion.Content(1, 3 * BlockSizeBytes);
        PassPlan plan = MadeVersion.PlanToCreate(("a", content));
        FileOutcome outcome = Assert.Single(
            await RunAsync(plan, [Block(0, 0), Block(0, 2, from: 1), Finish(0, WorkKind.FinishIncomplete)], content)
        );

        Assert.Equal(
            [plan.BlockOf(new EntryId(0), Item.Content(1)), plan.BlockOf(new EntryId(0), Item.Content(2))],
            outcome.WrongBlocks
        );
        Assert.Equal([.. content[..BlockSizeBytes], .. new byte[2 * BlockSizeBytes]], target.Files["a"]);
    }

    [Fact]
    public async Task The_failure_of_a_file_is_its_outcome_and_the_others_continue()
    {
        byte[][] contents = [MadeVersion.Content(1, 2 * BlockSizeBytes), MadeVersion.Content(2, 2 * BlockSizeBytes)];
        int writes = 0;
        target.BeforeWrite = path =>
        {
            if (path == "a" && ++writes == 2)
            {
                throw new IOException("The disk has a bad sector");
            }
        };
        List<FileOutcome> outcomes = await RunAsync(
            MadeVersion.PlanToCreate(("a", contents[0]), ("b", contents[1])),
            [Block(0, 0), Block(1, 0), Block(0, 1), Block(1, 1), Finish(0), Finish(1)],
            contents
        );

        Assert.Equal(
            [(0, OutcomeKind.Failed), (1, OutcomeKind.Restored)],
            outcomes.Select(outcome => (outcome.Entry.Value, outcome.Kind))
        );
        Assert.Equal("The disk has a bad sector", outcomes[0].Reason.Sentence);
        Assert.Equal(["b"], target.Files.Keys);
        Assert.Equal(2, writes);
    }

    [Fact]
    public async Task A_file_with_missing_blocks_has_zeros_in_their_place_and_its_full_length()
    {
        byte[] content = MadeVersion.Content(1, 3 * BlockSizeBytes);
        FileOutcome outcome = Assert.Single(
            await RunAsync(
                MadeVersion.PlanToCreate(("a", content)),
                [Block(0, 1), Finish(0, WorkKind.FinishIncomplete)],
                content
            )
        );

        Assert.Equal((OutcomeKind.Incomplete, true), (outcome.Kind, outcome.IsStarted));
        Assert.Equal(
            [
                .. new byte[BlockSizeBytes],
                .. content[BlockSizeBytes..(2 * BlockSizeBytes)],
                .. new byte[BlockSizeBytes],
            ],
            target.Files["a"]
        );
    }

    [Fact]
    public async Task Files_that_the_end_of_the_input_cut_off_are_removed()
    {
        byte[][] contents = [MadeVersion.Content(1, 2 * BlockSizeBytes), MadeVersion.Content(2, 2 * BlockSizeBytes)];
        List<FileOutcome> outcomes = await RunAsync(
            MadeVersion.PlanToCreate(("a", contents[0]), ("b", contents[1])),
            [Block(0, 0), Block(1, 0), Block(1, 1), Finish(1)],
            contents
        );

        Assert.Equal(1, Assert.Single(outcomes).Entry);
        Assert.Equal(["b"], target.Files.Keys);
    }

    [Fact]
    public async Task A_full_target_ends_the_process_and_unfinished_files_are_removed()
    {
        byte[][] contents = [MadeVersion.Content(1, 2 * BlockSizeBytes), MadeVersion.Content(2, 2 * BlockSizeBytes)];
        RestoreException full = new(RestoreErrorCode.TargetFull, "The target is full");
        target.BeforeWrite = path => _ = path == "b" ? throw full : 0;

        Exception? thrown = await Record.ExceptionAsync(() =>
            RunAsync(
                MadeVersion.PlanToCreate(("a", contents[0]), ("b", contents[1])),
                [Block(0, 0), Block(1, 0), Block(0, 1), Finish(0), Finish(1)],
                contents
            )
        );
        Assert.Same(full, thrown);
        Assert.Empty(target.Files);
    }

    [Fact]
    public async Task A_close_that_fails_too_does_not_hide_that_the_target_is_lost()
    {
        RestoreException lost = new(RestoreErrorCode.TargetLost, "The target is gone");
        int writes = 0;
        target.BeforeWrite = path => _ = ++writes == 2 ? throw lost : path;
        target.OnClose = path => throw new IOException("The device reports an error");
        byte[] content = MadeVersion.Content(1, 2 * BlockSizeBytes);

        Exception? thrown = await Record.ExceptionAsync(() =>
            RunAsync(
                MadeVersion.PlanToCreate(("a", content)),
                [Block(0, 0), Finish(0, WorkKind.FinishIncomplete)],
                content
            )
        );
        Assert.Same(lost, thrown);
        Assert.Equal(0, target.OpenFiles);
    }

    [Fact]
    public async Task Of_many_files_begun_only_some_are_open_and_all_are_restored()
    {
        byte[][] contents = [.. Enumerable.Range(0, 200).Select(file => MadeVersion.Content(file, 2 * BlockSizeBytes))];
        WorkItem[] work =
        [
            .. Enumerable.Range(0, 200).Select(file => Block(file, 0)),
            .. Enumerable.Range(0, 200).SelectMany(file => new[] { Block(file, 1), Finish(file) }),
        ];
        List<FileOutcome> outcomes = await RunAsync(
            MadeVersion.PlanToCreate([.. contents.Select((content, file) => ($"{file}", content))]),
            work,
            contents
        );

        Assert.All(outcomes, outcome => Assert.Equal(OutcomeKind.Restored, outcome.Kind));
        Assert.All(contents.Index(), file => Assert.Equal(file.Item, target.Files[$"{file.Index}"]));

        // 64, and the one that was just opened.
        Assert.Equal(65, target.MostOpenFiles);
        Assert.Equal(0, target.BytesRead);
    }

    public void Dispose()
    {
        Assert.Equal(0, pool.OutstandingBuffers);
        Assert.Equal(0, target.OpenFiles);
    }

    /// <summary>A block of an entry, with the bytes of its own or of another index.</summary>
    private static WorkItem Block(int entry, int index, int? from = null) =>
        new(
            WorkKind.Block,
            new EntryId(entry),
            Item.Content(index),
            new BlockBytes(new BlockId(from ?? index), null!, 0, 0, IsShared: false)
        );

    private static WorkItem Finish(int entry, WorkKind kind = WorkKind.Finish) =>
        new(kind, new EntryId(entry), Item.End, default);

    /// <summary>
    /// Feeds the process, one message for each item; the bytes of blocks are put in from the
    /// contents.
    /// </summary>
    private async Task<List<FileOutcome>> RunAsync(PassPlan plan, WorkItem[] work, params byte[][] contents)
    {
        Channel<FileWork> input = new("FileWork", 1);
        Channel<FileFinished> output = new("FileFinished", 1);
        using IWriteChannelEnd<FileWork> source = input.Writer();
        using IReadChannelEnd<FileWork> from = input.Reader();
        using IWriteChannelEnd<FileFinished> to = output.Writer();
        using IReadChannelEnd<FileFinished> sink = output.Reader();
        FileContext context = new(
            plan,
            target,
            OriginalPlaces: null,
            new RestoreOptions(),
            new EntryStates(plan.Entries.Count),
            pool
        );

        Task feeding = FeedAsync(source, work, contents);
        Task running = RunAsync(new FileProcessor(context), from, to);
        List<FileOutcome> outcomes = [];
        while (await sink.TryReadAsync().AsTask().Soon() is (true, FileFinished finished))
        {
            outcomes.AddRange(finished.Outcomes);
        }

        await running.Soon();
        await feeding.Soon();
        return outcomes;
    }

    private static async Task RunAsync(
        FileProcessor processor,
        IReadChannelEnd<FileWork> from,
        IWriteChannelEnd<FileFinished> to
    )
    {
        try
        {
            await processor.RunAsync(from, to);
        }
        finally
        {
            from.Dispose();
            to.Dispose();
        }
    }

    private async Task FeedAsync(IWriteChannelEnd<FileWork> source, WorkItem[] work, byte[][] contents)
    {
        try
        {
            foreach (WorkItem item in work)
            {
                FileWork message = new();
                message.Add(
                    item.Kind == WorkKind.Block
                        ? item with
                        {
                            Bytes = BytesOf(contents[item.Entry], item.Bytes.Block),
                        }
                        : item
                );
                await source.WriteAsync(message);
            }
        }
        catch (RetiredException)
        {
            // The process has ended early.
        }
        finally
        {
            source.Dispose();
        }
    }

    private BlockBytes BytesOf(byte[] content, int index)
    {
        ReadOnlySpan<byte> bytes = content.AsSpan(
            index * BlockSizeBytes,
            Math.Min(BlockSizeBytes, content.Length - (index * BlockSizeBytes))
        );
        PooledBuffer buffer = pool.Rent(bytes.Length);
        bytes.CopyTo(buffer.Span);
        return new BlockBytes(new BlockId(index), buffer, 0, bytes.Length, IsShared: false);
    }
}
