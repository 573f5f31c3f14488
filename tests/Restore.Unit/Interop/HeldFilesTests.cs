using Restore.Interop;

namespace Restore.Tests.Interop;

/// <summary>
/// A file that another program has open for a moment is waited for; any other failure is one.
/// </summary>
public sealed class HeldFilesTests
{
    private const int SharingViolation = unchecked((int)0x80070020);
    private const int DiskFull = unchecked((int)0x80070070);

    private int calls;

    public static TheoryData<Exception> FailuresOfHeldFiles() =>
        [
            new IOException("held", SharingViolation),
            new IOException("locked", unchecked((int)0x80070021)),
            new UnauthorizedAccessException("denied"),
        ];

    [Theory]
    [MemberData(nameof(FailuresOfHeldFiles))]
    public void What_failed_because_of_another_program_is_tried_again(Exception failure)
    {
        int result = new HeldFiles(areThere: true).Retry(() => ++calls < 4 ? throw failure : 17);
        Assert.Equal((17, 4), (result, calls));
    }

    [Fact]
    public void Any_other_failure_is_thrown_at_the_first_try()
    {
        Assert.Throws<IOException>(() =>
            new HeldFiles(areThere: true).Retry(() => Fail(new IOException("full", DiskFull)))
        );
        Assert.Equal(1, calls);
    }

    [Fact]
    public void Where_open_files_can_be_renamed_and_removed_nothing_is_tried_again()
    {
        Assert.Throws<UnauthorizedAccessException>(() =>
            new HeldFiles(areThere: false).Retry(() => Fail(new UnauthorizedAccessException()))
        );
        Assert.Equal(1, calls);
    }

    [Fact]
    public void The_time_that_is_lost_with_files_that_stay_closed_is_bounded()
    {
        HeldFiles held = new(areThere: true, patienceMilliseconds: 60, mostInVainMilliseconds: 100);
        List<int> tries = [];
        for (int file = 0; file < 6; file++)
        {
            calls = 0;
            Assert.Throws<IOException>(() => held.Retry(() => Fail(new IOException("held", SharingViolation))));
            tries.Add(calls);
        }

        Assert.True(tries[0] >= 3, $"{tries[0]} tries");
        Assert.Equal([1, 1, 1], tries[3..]);
    }

    private void Fail(Exception failure)
    {
        calls++;
        throw failure;
    }
}
