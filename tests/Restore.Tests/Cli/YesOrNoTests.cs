using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>Questions that are answered with yes or no.</summary>
public sealed class YesOrNoTests
{
    [Theory]
    [InlineData("y", true)]
    [InlineData(" YES ", true)]
    [InlineData("n", false)]
    [InlineData("No", false)]
    [InlineData("q", false)]
    [InlineData("quit", false)]
    [InlineData(null, false)]
    public void A_yes_is_a_yes_and_a_no_or_the_end_of_the_input_a_no_whatever_the_default_is(
        string? answer,
        bool expected
    )
    {
        Assert.Equal((expected, 1), Ask(isDefault: true, answer));
        Assert.Equal((expected, 1), Ask(isDefault: false, answer));
    }

    [Fact]
    public void An_empty_answer_is_the_default()
    {
        Assert.Equal((true, 1), Ask(isDefault: true, " "));
        Assert.Equal((false, 1), Ask(isDefault: false, ""));
    }

    [Theory]
    [InlineData("maybe")]
    [InlineData("cancel")]
    [InlineData("yn")]
    [InlineData("1")]
    [InlineData("-y")]
    public void Anything_else_is_asked_again(string answer)
    {
        Assert.Equal((false, 2), Ask(isDefault: true, answer, null));
        Assert.Equal((true, 3), Ask(isDefault: false, answer, answer, "y"));
    }

    private static (bool IsYes, int Asked) Ask(bool isDefault, params string?[] answers)
    {
        Queue<string?> left = new(answers);
        List<string> said = [];
        bool isYes = YesOrNo.Ask(
            "Go on?",
            isDefault,
            prompt =>
            {
                Assert.Equal(isDefault ? "Go on? [Y/n] " : "Go on? [y/N] ", prompt);
                return left.Dequeue();
            },
            said.Add
        );
        Assert.Equal(answers.Length - left.Count - 1, said.Count);
        return (isYes, answers.Length - left.Count);
    }
}
