using System.Runtime.InteropServices;

namespace Restore.Cli;

/// <summary>Turns Ctrl-C and SIGTERM into tokens: the first ends gracefully, the second at once, the third is left to the system.</summary>
internal sealed class Interruption : IDisposable
{
    private readonly CancellationTokenSource stop = new();
    private readonly CancellationTokenSource cancel = new();
    private readonly PosixSignalRegistration interrupt;
    private readonly PosixSignalRegistration terminate;
    private int signals;

    public Interruption()
    {
        interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal);
        terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal);
    }

    public CancellationToken StopToken => stop.Token;

    public CancellationToken CancellationToken => cancel.Token;

    private void OnSignal(PosixSignalContext context) => context.Cancel = Interrupt() <= 2;

    /// <returns>The number of interruptions so far.</returns>
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
        stop.Dispose();
        cancel.Dispose();
    }
}
