using System.IO.Pipes;
using System.Runtime.Versioning;
using Restore.Cli;
using Restore.Cli.Mount;

namespace Restore.Tests.Cli;

/// <summary>The standard output for bytes.</summary>
public sealed class OutputPipeTests
{
    private const int WritesReturnAtOnce = 0x801;

    [Fact]
    [SupportedOSPlatform("linux")]
    public async Task A_full_pipe_that_does_not_let_writers_wait_gets_every_byte()
    {
        await using var pipe = new AnonymousPipeServerStream(PipeDirection.In);
        var handle = Libc.Open($"/proc/self/fd/{pipe.ClientSafePipeHandle.DangerousGetHandle()}", WritesReturnAtOnce | Libc.CloseOnExec, 0);
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
}
