using Restore.Interop;

namespace Restore.Cli;

internal static class OutputFailure
{
    /// <summary>The failure of a command that cannot write its output.</summary>
    /// <param name="failure">What the system said.</param>
    /// <param name="what">What is written.</param>
    /// <param name="path">The file; null for the standard output.</param>
    public static RestoreException Of(Exception failure, string what, string? path = null) =>
        new(
            WriteFailure.CodeOfOutput(failure),
            $"{what} cannot be written ({failure.Message})",
            path ?? "standard output",
            failure
        );
}
