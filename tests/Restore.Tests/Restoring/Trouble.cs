using Restore.Csp;

namespace Restore.Tests.Restoring;

/// <summary>What goes wrong.</summary>
public enum Trouble
{
    Throws,
    FailsTheRun,
    IsCancelled,
    IsSlow,
}

/// <summary>When it goes wrong.</summary>
public enum Moment
{
    Start,
    Middle,
    End,
}

/// <summary>The shutdown matrix: each process times each trouble times each moment.</summary>
internal sealed class TroubleCase(string process, Trouble trouble, Moment moment, int lastMessage) : IDisposable
{
    private readonly RestoreException failure = new(RestoreErrorCode.TargetFull, "The target is full");
    private readonly CancellationTokenSource cancel = new();
    private readonly ManualResetEventSlim never = new();

    public CancellationToken CancellationToken => cancel.Token;

    /// <summary>The message of the process at which the trouble comes, from 1.</summary>
    public int At { get; } =
        moment switch
        {
            Moment.Start => 1,
            Moment.Middle => (lastMessage + 1) / 2,
            _ => lastMessage,
        };

    public static TheoryData<string, Trouble, Moment> All(string[] processes)
    {
        TheoryData<string, Trouble, Moment> cases = [];
        foreach (
            (string process, Trouble trouble, Moment moment) in from process in processes
            from trouble in Enum.GetValues<Trouble>()
            from moment in Enum.GetValues<Moment>()
            select (process, trouble, moment)
        )
        {
            cases.Add(process, trouble, moment);
        }

        return cases;
    }

    /// <summary>Makes the trouble, once.</summary>
    public void Act()
    {
        switch (trouble)
        {
            case Trouble.Throws:
                throw new TroubleException();
            case Trouble.FailsTheRun:
                throw failure;
            case Trouble.IsCancelled:
                cancel.Cancel();
                break;
            default:
                never.Wait(TimeSpan.FromMilliseconds(200));
                break;
        }
    }

    /// <summary>Checks what the run ended with.</summary>
    public void AssertRight(Exception? thrown)
    {
        switch (trouble)
        {
            case Trouble.Throws:
                RestoreException fault = Assert.IsType<RestoreException>(thrown);
                Assert.Equal((RestoreErrorKind.Failed, process), (fault.Kind, fault.Where));
                Assert.IsType<TroubleException>(
                    Assert.IsType<ProcessFailedException>(fault.InnerException).InnerException
                );
                break;
            case Trouble.FailsTheRun:
                Assert.Same(failure, thrown);
                break;
            case Trouble.IsCancelled when moment != Moment.End || thrown is not null:
                // At the very end the run may be over before the cancellation reaches it.
                Assert.IsAssignableFrom<OperationCanceledException>(thrown);
                break;
            default:
                Assert.Null(thrown);
                break;
        }
    }

    public void Dispose()
    {
        cancel.Dispose();
        never.Dispose();
    }
}
