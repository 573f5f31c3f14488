using System.IO.Pipes;
using System.Runtime.Versioning;
using Restore.Cli;
using Restore.Interop;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Cli;

/// <summary>The standard output for bytes.</summary>
public sealed class OutputPipeTests
{
    private const int OnlyWrite = 1;
    private const int WritesReturnAtOnce = 0x801;

    [Fact]
    [SupportedOSPlatform("linux")]
    public async Task A_full_pipe_that_does_not_let_writers_wait_gets_every_byte()
    {
        await using var pipe = new AnonymousPipeServerStream(PipeDirection.In);
        var handle = Libc.Open(
            $"/proc/self/fd/{pipe.ClientSafePipeHandle.DangerousGetHandle()}",
            WritesReturnAtOnce | Libc.CloseOnExec,
            0
        );
        Assert.True(handle >= 0);
        pipe.DisposeLocalCopyOfClientHandle();
        var bytes = new byte[1 << 20];
        new Random(1).NextBytes(bytes);
        var writing = Task.Run(async () =>
        {
            try
            {
                await using var output = new OutputPipe(handle);
                output.Write(bytes);
            }
            finally
            {
                _ = Libc.Close(handle);
            }
        });

        using var read = new MemoryStream();
        await pipe.CopyToAsync(read, TestContext.Current.CancellationToken);
        await writing;
        Assert.Equal(bytes, read.ToArray());
    }

    [Fact]
    [SupportedOSPlatform("linux")]
    public async Task Who_watches_the_reader_is_reported_when_it_goes()
    {
        int handle;
        CancellationToken gone;
        await using (var pipe = new AnonymousPipeServerStream(PipeDirection.In))
        {
            handle = Libc.Open(
                $"/proc/self/fd/{pipe.ClientSafePipeHandle.DangerousGetHandle()}",
                OnlyWrite | Libc.CloseOnExec,
                0
            );
            gone = OutputPipe.WatchReader(handle);
            Assert.False(gone.IsCancellationRequested);
        }

        var reported = new TaskCompletionSource();
        await using (gone.Register(reported.SetResult))
        {
            await reported.Task.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);
        }

        _ = Libc.Close(handle);
    }

    [Theory]
    [InlineData("ls")]
    [InlineData("find", "*")]
    [InlineData("history", "/data/good.txt")]
    [InlineData("diff", "0", "0")]
    public async Task A_listing_without_a_reader_ends_without_a_word(string command, params string[] operands)
    {
        var location = FixtureCatalog.BackupsOf("hand-made").First().Location;
        var run = await CliRun.OfAsync(
            environment => environment with { WatchReader = () => new CancellationToken(canceled: true) },
            [command, location, .. operands]
        );
        Assert.Equal((ExitCodes.Failed, "", ""), (run.ExitCode, run.Output, run.Error));
    }
}
