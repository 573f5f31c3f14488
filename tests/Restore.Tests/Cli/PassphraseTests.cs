using Restore.Cli;
using Restore.Cli.Options;

namespace Restore.Tests.Cli;

public sealed class PassphraseTests
{
    private static readonly CliEnvironment Environment = CliRun.Environment() with
    {
        Variable = name => name == "PASSPHRASE" ? "from variable" : null,
        Input = new StringReader("from input\n"),
    };

    [Fact]
    public void The_option_comes_before_the_file_and_the_file_before_the_variable()
    {
        using var folder = new TempFolder();
        var file = Path.Combine(folder.Path, "secret");
        File.WriteAllText(file, "from file\n");
        Assert.Equal("from option", PassphraseSource.Given("from option", file, Environment));
        Assert.Equal("from file", PassphraseSource.Given(null, file, Environment));
        Assert.Equal("from variable", PassphraseSource.Given(null, null, Environment));
        Assert.Equal("from input", PassphraseSource.Given(null, "-", Environment));
        Assert.Null(PassphraseSource.Given(null, null, CliRun.Environment()));
        Assert.Null(PassphraseSource.Given("", null, Environment));
    }

    [Theory]
    [InlineData("pass\n", "pass")]
    [InlineData("pass\r\n", "pass")]
    [InlineData(" pass \n\n", " pass \n")]
    [InlineData("\ufeffpass", "pass")]
    [InlineData("p\u00e4ss", "p\u00e4ss")]
    public void Of_a_file_only_one_line_break_at_the_end_is_cut_off(string content, string passphrase)
    {
        using var folder = new TempFolder();
        var file = Path.Combine(folder.Path, "secret");
        File.WriteAllText(file, content);
        Assert.Equal(passphrase, PassphraseSource.Given(null, file, Environment));
    }

    [Fact]
    public async Task A_passphrase_file_that_is_not_there_is_a_usage_error()
    {
        var run = await CliRun.OfAsync("/backup", "--passphrase-file=/no/such/file");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith("--passphrase-file: /no/such/file cannot be read (", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task When_none_was_given_it_is_asked_for_and_three_tries_are_allowed()
    {
        var typed = new Queue<string>(["wrong", "worse", "right"]);
        var tried = new List<string?>();
        using var error = new StringWriter { NewLine = "\n" };
        var code = await PassphrasePrompt.RunAsync(null, _ => typed.Dequeue(), CliRun.MessagesTo(error), passphrase =>
        {
            tried.Add(passphrase);
            return passphrase == "right" ? Task.FromResult(7) : throw new RestoreException(RestoreErrorCode.WrongPassphrase, "no");
        });
        Assert.Equal(7, code);
        Assert.Equal([null, "wrong", "worse", "right"], tried);
        Assert.Equal("The passphrase does not open the backup\nThe passphrase does not open the backup\n", error.ToString());
    }

    [Fact]
    public async Task After_three_wrong_ones_it_is_over()
    {
        var asked = 0;
        var failure = await Assert.ThrowsAsync<RestoreException>(() => PassphrasePrompt.RunAsync(
            null, _ => $"wrong {asked++}", CliRun.MessagesTo(TextWriter.Null), _ => throw new RestoreException(RestoreErrorCode.WrongPassphrase, "no")));
        Assert.Equal(3, asked);
        Assert.Equal(RestoreErrorKind.WrongPassphrase, failure.Kind);
    }

    [Fact]
    public async Task Who_enters_none_gets_the_failure_back() =>
        await Assert.ThrowsAsync<RestoreException>(() => PassphrasePrompt.RunAsync(
            null, _ => null, CliRun.MessagesTo(TextWriter.Null), _ => throw new RestoreException(RestoreErrorCode.WrongPassphrase, "no")));

    [Fact]
    public async Task With_a_given_one_or_nobody_there_or_another_failure_nothing_is_asked()
    {
        static string Ask(string prompt) => throw new InvalidOperationException("asked");
        static Task<int> Fail(string code) => throw new RestoreException(code, "no");
        var messages = CliRun.MessagesTo(TextWriter.Null);
        await Assert.ThrowsAsync<RestoreException>(() => PassphrasePrompt.RunAsync("given", Ask, messages, _ => Fail(RestoreErrorCode.WrongPassphrase)));
        await Assert.ThrowsAsync<RestoreException>(() => PassphrasePrompt.RunAsync(null, null, messages, _ => Fail(RestoreErrorCode.WrongPassphrase)));
        await Assert.ThrowsAsync<RestoreException>(() => PassphrasePrompt.RunAsync(null, Ask, messages, _ => Fail(RestoreErrorCode.VersionNotFound)));
    }
}
