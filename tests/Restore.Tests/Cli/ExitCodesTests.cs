using Restore.Cli;

namespace Restore.Tests.Cli;

public sealed class ExitCodesTests
{
    private static readonly RestoreReport Report = new()
    {
        Version = new BackupVersion(0, default, "list"),
        Target = "/out",
    };

    public static TheoryData<int, IssueKind, bool, bool> Issues =>
        new()
        {
            { ExitCodes.Incomplete, IssueKind.Damaged, false, false },
            { ExitCodes.Incomplete, IssueKind.Missing, false, false },
            { ExitCodes.Incomplete, IssueKind.Refused, false, false },
            { ExitCodes.Incomplete, IssueKind.Metadata, true, false },
            { ExitCodes.Complete, IssueKind.Metadata, false, false },
            { ExitCodes.Complete, IssueKind.Warning, false, false },
            { ExitCodes.Incomplete, IssueKind.Warning, false, true },
        };

    [Theory]
    [MemberData(nameof(Issues))]
    public void A_loss_is_code_2_and_anything_else_is_code_0(
        int code,
        IssueKind kind,
        bool metadataLost,
        bool unverified
    )
    {
        var issue = new RestoreIssue(kind, "/a", "reason") { MetadataLost = metadataLost, Unverified = unverified };
        Assert.Equal(
            code,
            ExitCodes.Of(Report with { Issues = [new RestoreIssue(IssueKind.Warning, "/b", "reason"), issue] })
        );
    }

    [Fact]
    public void A_report_without_issues_is_code_0() => Assert.Equal(ExitCodes.Complete, ExitCodes.Of(Report));

    [Theory]
    [InlineData(RestoreErrorCode.StoreLost, 3)]
    [InlineData(RestoreErrorCode.DatabaseMismatch, 1)]
    [InlineData(RestoreErrorCode.WrongPassphrase, 4)]
    [InlineData(RestoreErrorCode.VersionNotFound, 5)]
    [InlineData(RestoreErrorCode.TargetFull, 6)]
    public void Each_kind_of_failure_has_its_exit_code_and_the_advice_for_its_code(string error, int code)
    {
        var failure = new RestoreException(error, "It failed", "/a");
        Assert.Equal(new Failure(code, "It failed (/a)", Advice.For(error)), Failure.Of(failure, isInterrupted: false));
        Assert.NotNull(Advice.For(error));
        Assert.Equal(
            code,
            Failure
                .Of(
                    new AggregateException(new InvalidOperationException("in BlockManager", failure)),
                    isInterrupted: false
                )
                .ExitCode
        );
    }

    [Fact]
    public void A_cancellation_is_an_interruption_only_when_somebody_interrupted()
    {
        var cancelled = new OperationCanceledException();
        Assert.Equal(130, Failure.Of(cancelled, isInterrupted: true).ExitCode);
        Assert.Equal(3, Failure.Of(cancelled, isInterrupted: false).ExitCode);
    }

    [Fact]
    public void Too_little_memory_is_said_in_words_with_what_to_do()
    {
        var cause = new InvalidOperationException("in BlockManager", new InsufficientMemoryException());
        var failure = Failure.Of(new AggregateException(cause), isInterrupted: false);
        Assert.Equal(20, failure.ExitCode);
        Assert.StartsWith(
            "There is not enough memory: the program may use ",
            failure.Message,
            StringComparison.Ordinal
        );
        Assert.NotNull(failure.Advice);
    }

    [Fact]
    public void Too_little_memory_in_a_process_of_a_restore_or_for_a_library_is_too_little_memory()
    {
        const int OutOfMemory = unchecked((int)0x8007000E);
        var library = new TypeInitializationException("A", new FileLoadException("B") { HResult = OutOfMemory });
        var process = new InvalidOperationException("in BlockManager", new InsufficientMemoryException());
        var restore = new RestoreException(RestoreErrorCode.Unexpected, "It was ended", "BlockManager", process);
        Assert.Equal(20, Failure.Of(library, isInterrupted: false).ExitCode);
        Assert.Equal(20, Failure.Of(restore, isInterrupted: false).ExitCode);
    }

    [Fact]
    public void A_failed_initializer_is_reported_with_its_reason()
    {
        var failure = new TypeInitializationException("Some.Type", new IOException("Too many open files"));
        Assert.Equal("Unexpected error (Too many open files)", Failure.Of(failure, isInterrupted: false).Message);
    }

    [Fact]
    public void An_unexpected_exception_is_one_sentence_without_a_trace()
    {
        var failure = Failure.Of(new InvalidDataException("Something odd"), isInterrupted: false);
        Assert.Equal(
            new Failure(3, "Unexpected error (Something odd)", "Run it again with --log-file=FILE for the details"),
            failure
        );
    }

    [Fact]
    public async Task Output_that_cannot_be_written_is_a_failure_and_no_crash()
    {
        using var full = new FullWriter();
        var run = await CliRun.OfAsync(environment => environment with { Output = full }, "--help");
        Assert.Equal(3, run.ExitCode);
        Assert.Equal(
            "Unexpected error (No space left on device)\nRun it again with --log-file=FILE for the details\n",
            run.Error
        );
    }

    [Fact]
    public async Task A_dry_run_whose_output_is_lost_has_done_nothing_and_fails()
    {
        using var folder = new TempFolder();
        var backup = Fixtures.Backup("plain-1mb");
        CliEnvironment Full(CliEnvironment environment) =>
            environment with
            {
                OutputFailure = () => new IOException("No space left on device"),
            };
        var dry = await CliRun.OfAsync(Full, backup, $"--restore-path={folder.Root}", "--dry-run");
        Assert.Equal(
            (ExitCodes.Failed, "The standard output could not be written (No space left on device)\n"),
            (dry.ExitCode, dry.Error)
        );
        var drill = await CliRun.OfAsync(Full, "verify", backup);
        Assert.Equal(ExitCodes.Complete, drill.ExitCode);
    }

    private sealed class FullWriter : StringWriter
    {
        public override Task FlushAsync(CancellationToken cancellationToken) =>
            throw new IOException("No space left on device");
    }
}
