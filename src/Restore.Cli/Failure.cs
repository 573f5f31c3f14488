using Restore.Interop;
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
            if (IsOfMemory(cause))
            {
                return OfMemory();
            }

            switch (cause)
            {
                case UsageException:
                    return new Failure(ExitCodes.Usage, cause.Message);
                case CommandException failure:
                    return new Failure(failure.ExitCode, failure.Message, failure.Advice);
                case MountException failure:
                    return new Failure(ExitCodes.Of(failure.Problem), failure.Message, failure.Advice);
                case RestoreException { Code: RestoreErrorCode.Unexpected, InnerException: not null }
                    when HasNoMemory(cause):
                    return OfMemory();
                case RestoreException failure:
                    return new Failure(ExitCodes.Of(failure), failure.Message, Cli.Advice.For(failure.Code));
                case OperationCanceledException when isInterrupted:
                    return new Failure(ExitCodes.Interrupted, "Interrupted");
            }
        }

        // The message of a failed initializer says nothing; the exception in it does.
        var told = exception is TypeInitializationException { InnerException: { } reason } ? reason : exception;
        return new Failure(
            ExitCodes.Failed,
            $"Unexpected error ({told.Message})",
            "Run it again with --log-file=FILE for the details"
        );
    }

    private static bool HasNoMemory(Exception? cause)
    {
        while (cause is not null && !IsOfMemory(cause))
        {
            cause = cause.InnerException;
        }

        return cause is not null;
    }

    /// <summary>
    /// A failure to load a library for lack of memory is an exception of its own kind.
    /// </summary>
    private static bool IsOfMemory(Exception cause)
    {
        const int OutOfMemory = unchecked((int)0x8007000E);
        return cause is OutOfMemoryException || cause.HResult == OutOfMemory;
    }

    private static Failure OfMemory() =>
        OperatingSystem.IsLinux()
        && Kernel.AddressLimit() is { } limit
        && limit < GC.GetGCMemoryInfo().TotalAvailableMemoryBytes
            ? new Failure(
                ExitCodes.NoMemory,
                $"There is not enough memory: the program may have {Units.Bytes(limit)} of addresses",
                "Raise the limit (ulimit -v): the runtime reserves more addresses than it uses"
            )
            : new Failure(
                ExitCodes.NoMemory,
                $"There is not enough memory: the program may use {Units.Bytes(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes)}",
                "End other programs or give the container more; less is needed for fewer files, and with a lower --restore-cache-max"
            );
}
