namespace Restore.Cli.Rendering;

/// <summary>
/// A program that reads results as JSON reads failures at the same place; the sentences for people
/// stay on the error stream.
/// </summary>
internal sealed class FailureJson(IReadOnlyList<string> arguments, CliEnvironment environment, KnownSecrets secrets)
{
    private const string Option = "--json";

    /// <summary>Also a command line that cannot be parsed says whether results are JSON.</summary>
    private bool IsWanted =>
        arguments
            .TakeWhile(argument => argument != "--")
            .LastOrDefault(argument =>
                argument == Option || argument.StartsWith(Option + "=", StringComparison.Ordinal)
            )
            is Option
                or Option + "=true";

    public void Write(Failure failure)
    {
        if (IsWanted)
        {
            var scrubbed = failure with
            {
                Message = secrets.Scrub(failure.Message),
                Advice = failure.Advice is { } advice ? secrets.Scrub(advice) : null,
            };
            Json.Write(environment.Output, new JsonObject { ["messageType"] = "error" }.With(Json.Of(scrubbed)));
            environment.Output.Flush();
        }
    }
}
