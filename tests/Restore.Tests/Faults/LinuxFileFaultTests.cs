using Restore.Ends.Linux;
using Restore.Format;

namespace Restore.Tests.Faults;

/// <summary>Failures that come after the write that caused them.</summary>
[Trait("Suite", "mount")]
public sealed class LinuxFileFaultTests
{
    private const int Size = 2 << 20;

    [Fact]
    public async Task A_late_write_that_fails_is_reported_again_by_the_close()
    {
        using FaultMount mount = await FaultMount.MountAsync();
        using LinuxTarget target = new(mount.Mounted);
        ITargetFile file = target.OpenFile("file", TargetOpenMode.CreateNew, Size);
        file.Write(0, new byte[Size - 1]);
        await mount.FailAsync("write", 1, 5, 1);

        // Setting metadata is the first that waits for the writes, and its failures cost no
        // content.
        Assert.Throws<IOException>(() => file.ApplyMetadata(new EntryMetadata(), withPermissions: false));
        Assert.Throws<IOException>(file.Dispose);
    }

    [Theory]
    [InlineData(5)]
    [InlineData(13)]
    [InlineData(24)]
    [InlineData(36)]
    public async Task Every_error_of_a_close_is_a_failure_of_the_file(int error)
    {
        using FaultMount mount = await FaultMount.MountAsync();
        using LinuxTarget target = new(mount.Mounted);
        ITargetFile file = target.OpenFile("file", TargetOpenMode.CreateNew);
        file.Write(0, [1, 2, 3]);
        await mount.FailAsync("flush", 1, error, 1);
        Assert.True(Record.Exception(file.Dispose) is IOException or UnauthorizedAccessException);
    }
}
