using System.Runtime.InteropServices;

namespace Restore.Cli;

/// <summary>
/// Turns Ctrl-C, SIGTERM and the end of the terminal (SIGHUP) into tokens: the first ends
/// gracefully, the second immediately, the third is left to the system. The end of the terminal
/// counts once, since the shell says it and the system too.
/// </summary>
internal sealed class Interruption : IDisposable
{
    private readonly CancellationTokenSource stop = new();
    private readonly CancellationTokenSource cancel = new();
    private readonly PosixSignalRegistration interrupt;
    private readonly PosixSignalRegistration terminate;
    private readonly PosixSignalRegistration hangUp;
    private int signals;
    private int hangUps;

    public Interruption()
    {
        interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal);
        terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal);

        // Not for a program that nohup has started: it ignores the signal.
        hangUp = PosixSignalRegistration.Create(PosixSignal.SIGHUP, OnHangUp);
    }

    public CancellationToken StopToken => stop.Token;

    public CancellationToken CancellationToken => cancel.Token;

    private void OnSignal(PosixSignalContext context) => context.Cancel = Interrupt() <= 2;

    private void OnHangUp(PosixSignalContext context) =>
        context.Cancel = Interlocked.Increment(ref hangUps) > 1 || Interrupt() <= 2;

    /// <summary>Returns the number of interruptions so far.</summary>
    public int Interrupt()
    {
        var signals = Interlocked.Increment(ref this.signals);
        if (signals == 1)
        {
            stop.Cancel();
        }
        else if (signals == 2)
        {
            cancel.Cancel();
        }

        return signals;
    }

    public void Dispose()
    {
        interrupt.Dispose();
        terminate.Dispose();
        hangUp.Dispose();
        stop.Dispose();
        cancel.Dispose();
    }
}
