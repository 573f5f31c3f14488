using Restore.Reporting;

namespace Restore.Tests;

/// <summary>The messages of .NET in the form of this library.</summary>
public sealed class ExceptionReasonTests
{
    [Fact]
    public void A_message_that_points_to_the_exception_within_gets_its_reason() =>
        Assert.Equal(
            "The SSL connection could not be established (Cannot determine the frame size)",
            new HttpRequestException(
                "The SSL connection could not be established, see inner exception.",
                new IOException("Cannot determine the frame size.")
            ).Reason()
        );

    [Fact]
    public void Other_messages_lose_their_full_stop() =>
        Assert.Equal("Broken", new IOException("Broken.", new IOException("deeper")).Reason());
}
