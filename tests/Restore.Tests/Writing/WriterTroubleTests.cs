using Restore.Storage;
using Restore.Tests.Storage;

namespace Restore.Tests.Writing;

/// <summary>
/// Stores that fail in the middle: no version is lost, and none refers to what is not there.
/// </summary>
public sealed class WriterTroubleTests : IDisposable
{
    private readonly RoundTrip trip = new();

    public void Dispose() => trip.Dispose();

    [Fact]
    public async Task A_volume_whose_upload_failed_is_found_under_its_new_name()
    {
        File.WriteAllBytes(Path.Combine(trip.Source, "a"), SourceTree.Bytes(new Random(1), 300_000));

        BackupWriterReport report = await WriteAsync(
            new FailingProvider(put => put % 3 == 1 ? new TransientStoreException("broken") : null)
        );

        Assert.True(report.BlockVolumes >= 3, "the test needs several volumes");
        Assert.All(
            Directory.GetFiles(trip.Destination),
            path => Assert.StartsWith("duplicati-", Path.GetFileName(path), StringComparison.Ordinal)
        );
        Assert.Equal(report.BlockVolumes, trip.VolumesOf("dblock").Count());
        trip.AssertLikeSource(await trip.RestoreAsync());
    }

    [Fact]
    public async Task A_volume_that_vanishes_before_the_list_ends_the_run_without_a_version()
    {
        File.WriteAllBytes(Path.Combine(trip.Source, "a"), SourceTree.Bytes(new Random(1), 300_000));
        FailingProvider losing = new(put =>
        {
            if (put == 6)
            {
                File.Delete(trip.VolumesOf("dblock").First());
            }

            return null;
        });

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => WriteAsync(losing));

        Assert.Equal(RestoreErrorCode.DestinationNotWritable, failure.Code);
        Assert.StartsWith(
            "A volume that the version needs is not there, so no version was made",
            failure.Message,
            StringComparison.Ordinal
        );
        Assert.Empty(trip.VolumesOf("dlist"));
        await trip.WriteAsync();
        trip.AssertLikeSource(await trip.RestoreAsync(warns: true));
    }

    [Fact]
    public async Task An_old_volume_that_vanishes_during_the_run_ends_it_without_a_version()
    {
        File.WriteAllBytes(Path.Combine(trip.Source, "a"), SourceTree.Bytes(new Random(1), 300_000));
        await WriteAsync(new FailingProvider(_ => null));
        string old = trip.VolumesOf("dblock").First();
        File.WriteAllBytes(Path.Combine(trip.Source, "b"), SourceTree.Bytes(new Random(2), 30_000));

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            WriteAsync(
                new FailingProvider(put =>
                {
                    if (put == 1)
                    {
                        File.Delete(old);
                    }

                    return null;
                })
            )
        );

        Assert.Equal(RestoreErrorCode.DestinationNotWritable, failure.Code);
        Assert.Single(trip.VolumesOf("dlist"));
    }

    [Fact]
    public async Task A_run_whose_lock_somebody_else_removed_makes_no_version()
    {
        File.WriteAllBytes(Path.Combine(trip.Source, "a"), SourceTree.Bytes(new Random(1), 300_000));

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            WriteAsync(
                new FailingProvider(put =>
                {
                    if (put == 2)
                    {
                        File.Delete(Directory.GetFiles(trip.Destination, "restore-lock.*").Single());
                    }

                    return null;
                })
            )
        );

        Assert.Equal(RestoreErrorCode.BackupLocked, failure.Code);
        Assert.Empty(trip.VolumesOf("dlist"));
    }

    [Fact]
    public async Task A_backup_of_which_neither_list_nor_index_can_be_read_gets_no_version()
    {
        File.WriteAllText(Path.Combine(trip.Source, "a"), "a");
        await trip.WriteAsync();
        foreach (string path in trip.VolumesOf("dlist").Concat(trip.VolumesOf("dindex")))
        {
            File.WriteAllBytes(path, new byte[100]);
        }

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => trip.WriteAsync());

        Assert.Equal(RestoreErrorCode.DestinationIncompatible, failure.Code);
        Assert.Single(trip.VolumesOf("dlist"));
    }

    [Fact]
    public async Task A_folder_that_vanishes_is_not_made_again()
    {
        File.WriteAllBytes(Path.Combine(trip.Source, "a"), SourceTree.Bytes(new Random(1), 300_000));
        FailingProvider unmounting = new(put =>
        {
            if (put == 3)
            {
                Directory.Delete(trip.Destination, recursive: true);
            }

            return null;
        });

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => WriteAsync(unmounting));

        Assert.Equal(RestoreErrorCode.DestinationNotWritable, failure.Code);
        Assert.Contains("is gone", failure.Message, StringComparison.Ordinal);
        Assert.False(Directory.Exists(trip.Destination));
    }

    [Fact]
    public async Task A_list_that_another_run_added_meanwhile_is_not_replaced()
    {
        File.WriteAllBytes(Path.Combine(trip.Source, "a"), SourceTree.Bytes(new Random(1), 300_000));
        DateTimeOffset soon = DateTimeOffset.FromUnixTimeSeconds(
            TimeProvider.System.GetUtcNow().ToUnixTimeSeconds() + 3600
        );
        string added = Path.Combine(trip.Destination, $"duplicati-{soon:yyyyMMdd'T'HHmmss'Z'}.dlist.zip");

        BackupWriterReport report = await WriteAsync(
            new FailingProvider(put =>
            {
                if (put == 2)
                {
                    File.WriteAllText(added, "of another run");
                }

                return null;
            })
        );

        Assert.Equal(soon.AddSeconds(1), report.Time);
        Assert.Equal("of another run", await File.ReadAllTextAsync(added, TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task A_lock_whose_answer_was_lost_is_not_that_of_another_program()
    {
        File.WriteAllText(Path.Combine(trip.Source, "a"), "a");
        FailingProvider losing = new(put => put == 0 ? new TransientStoreException("the answer was lost") : null)
        {
            FailsFirstDeletion = true,
        };

        await WriteAsync(losing);

        Assert.Empty(Directory.GetFiles(trip.Destination, "restore-lock.*"));
        trip.AssertLikeSource(await trip.RestoreAsync());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_run_that_ends_while_its_lock_is_put_leaves_none(bool isCancelled)
    {
        File.WriteAllText(Path.Combine(trip.Source, "a"), "a");
        FailingProvider ending = new(put =>
            put > 0 ? null
            : isCancelled ? new OperationCanceledException()
            : new IOException("its name was not flushed")
        );

        Exception? failure = await Record.ExceptionAsync(() => WriteAsync(ending));

        Assert.Equal(isCancelled, failure is OperationCanceledException);
        Assert.Empty(Directory.GetFiles(trip.Destination));
    }

    [Fact]
    public async Task A_damaged_index_volume_is_not_another_passphrase()
    {
        BackupWriterOptions options = trip.Options with { Passphrase = "p", VolumeSizeBytes = 100_000 };
        File.WriteAllBytes(Path.Combine(trip.Source, "a"), SourceTree.Bytes(new Random(1), 300_000));
        await trip.WriteAsync(options);
        string index = trip.VolumesOf("dindex").First();
        byte[] bytes = File.ReadAllBytes(index);
        bytes.AsSpan(80, 60).Fill(0x55);
        File.WriteAllBytes(index, bytes);
        File.WriteAllText(Path.Combine(trip.Source, "b"), "b");

        BackupWriterReport report = await trip.WriteAsync(options);

        RestoreIssue warning = Assert.Single(report.Issues, issue => issue.Path == Path.GetFileName(index));
        Assert.StartsWith("The index volume cannot be used", warning.Reason, StringComparison.Ordinal);
        trip.AssertLikeSource(await trip.RestoreAsync(passphrase: "p", warns: true));
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            trip.WriteAsync(options with { Passphrase = "other" })
        );
        Assert.Equal(RestoreErrorCode.DestinationPassphraseWrong, failure.Code);
    }

    [Fact]
    public async Task A_block_volume_that_a_killed_first_run_has_left_keeps_another_passphrase_out()
    {
        BackupWriterOptions options = trip.Options with { Passphrase = "p" };
        File.WriteAllBytes(Path.Combine(trip.Source, "a"), SourceTree.Bytes(new Random(1), 30_000));
        await trip.WriteAsync(options);
        trip.VolumesOf("dlist").Concat(trip.VolumesOf("dindex")).ToList().ForEach(File.Delete);

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            trip.WriteAsync(options with { Passphrase = "other" })
        );

        Assert.Equal(RestoreErrorCode.DestinationPassphraseWrong, failure.Code);
        await trip.WriteAsync(options);
        trip.AssertLikeSource(await trip.RestoreAsync(passphrase: "p", warns: true));
    }

    [Fact]
    public async Task The_clock_going_back_makes_a_later_version_nevertheless()
    {
        File.WriteAllText(Path.Combine(trip.Source, "a"), "a");
        DateTimeOffset future = new(2040, 1, 1, 0, 0, 0, TimeSpan.Zero);
        await trip.WriteAsync(trip.Options with { Time = future });

        BackupWriterReport report = await trip.WriteAsync();

        Assert.Equal(future.AddSeconds(1), report.Time);
    }

    private Task<BackupWriterReport> WriteAsync(IStoreProvider provider) =>
        trip.WriteAsync(
            trip.Options with
            {
                Destination = "failing://x" + trip.Destination,
                Stores = StoreRegistry.Default.With(provider),
                StoreOptions = new Dictionary<string, string> { ["retry-delay"] = "1ms" },
                VolumeSizeBytes = 100_000,
                Uploads = 1,
            }
        );

    /// <summary>A local folder as a remote store, of which uploads fail.</summary>
    /// <param name="onPut">Gets the number of the upload, and says how it fails.</param>
    private sealed class FailingProvider(Func<int, Exception?> onPut) : IStoreProvider
    {
        /// <summary>Whether the first deletion fails, as if the connection were broken.</summary>
        public bool FailsFirstDeletion { get; init; }

        public string Name => "Failing";

        public string Summary => "fails";

        public IReadOnlyList<string> Schemes => ["failing"];

        public IReadOnlyList<string> Locations => ["failing://x/folder"];

        public IReadOnlyList<StoreOption> Options => [];

        public IVolumeStore Open(StoreContext context) =>
            new Restore.Storage.Local.LocalFolderStore("/" + context.Url.Path.TrimStart('/'));

        public IVolumeSink OpenSink(StoreContext context) =>
            new FailingSink(
                new Restore.Storage.Local.LocalFolderSink("/" + context.Url.Path.TrimStart('/')),
                onPut,
                FailsFirstDeletion
            );
    }

    private sealed class FailingSink(IVolumeSink inner, Func<int, Exception?> onPut, bool failsFirstDeletion)
        : IVolumeSink
    {
        private int puts;
        private bool failsDeletion = failsFirstDeletion;

        public string DisplayName => inner.DisplayName;

        public bool IsLocal => false;

        public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) =>
            inner.ListAsync(cancellationToken);

        public async ValueTask PutAsync(
            string name,
            ReadOnlyMemory<byte> content,
            CancellationToken cancellationToken = default
        )
        {
            Exception? failure = onPut(puts++);
            await inner.PutAsync(name, content, cancellationToken);
            if (failure is not null)
            {
                throw failure;
            }
        }

        public ValueTask DeleteAsync(string name, CancellationToken cancellationToken = default)
        {
            bool fails = failsDeletion;
            failsDeletion = false;
            return fails ? throw new TransientStoreException("broken") : inner.DeleteAsync(name, cancellationToken);
        }

        public ValueTask DisposeAsync() => inner.DisposeAsync();
    }
}
