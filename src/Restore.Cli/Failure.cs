using Restore.Mount;

namespace Restore.Cli;

internal sealed record Failure(int ExitCode, string Message, string? Advice = null)
{
    public string[] Lines => Advice is null ? [Message] : [Message, Advice];

    public static Failure Of(Exception exception, bool isInterrupted)
    {
        // A process of a network wraps what it throws. The first exception with a meaning decides,
        // from the outside in.
        for (var cause = exception; cause is not null; cause = cause.InnerException)
        {
            switch (cause)
            {
                case UsageException:
                    return new Failure(ExitCodes.Usage, cause.Message);
                case CommandException failure:
                    return new Failure(failure.ExitCode, failure.Message, failure.Advice);
                case MountException failure:
                    return new Failure(ExitCodes.Of(failure.Problem), failure.Message, failure.Advice);
                case RestoreException failure:
                    return new Failure(ExitCodes.Of(failure), failure.Message, Cli.Advice.For(failure.Code));
                case OperationCanceledException when isInterrupted:
                    return new Failure(ExitCodes.Interrupted, "Interrupted");
                case OutOfMemoryException:
                    return new Failure(
                        ExitCodes.Failed,
                        $"There is not enough memory: the program may use {Units.Bytes(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes)}",
                        "End other programs or give the container more; less is needed for fewer files, and with a lower --restore-cache-max"
                    );
            }
        }

        return new Failure(
            ExitCodes.Failed,
            $"Unexpected error ({exception.Message})",
            "Run it again with --log-file=FILE for the details"
        );
    }
}
