using Restore.Ends.Linux;

namespace Restore.Tests.Ends;

public sealed class KernelFailureTests
{
    private const int NoEntry = 2;
    private const int InvalidArgument = 22;

    [Theory]
    [InlineData(NoEntry, "/mnt/usb/colon:x", true)]
    [InlineData(InvalidArgument, "/mnt/usb/what?", true)]
    [InlineData(InvalidArgument, "/mnt/usb/tab\tx", true)]
    [InlineData(NoEntry, "/mnt/usb/plain", false)]
    [InlineData(NoEntry, "/mnt/a:b/plain", false)]
    [InlineData(28, "/mnt/usb/colon:x", false)]
    public void A_name_that_FAT_does_not_allow_is_the_reason_where_the_kernel_has_no_word_for_it(
        int error,
        string place,
        bool isOfName
    )
    {
        string message = KernelFailure.Of(error, place, "could not be created").Message;
        Assert.Equal(isOfName, message.Contains("its name has a character", StringComparison.Ordinal));
        Assert.DoesNotContain(
            "its name has",
            KernelFailure.Of(error, place, "could not be opened").Message,
            StringComparison.Ordinal
        );
    }
}
