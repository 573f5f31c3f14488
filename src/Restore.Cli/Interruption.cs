using System.Runtime.InteropServices;

namespace Restore.Cli;

/// <summary>Turns Ctrl-C and SIGTERM into tokens: the first asks to end in good order, the second to end at once, the third is the system's.</summary>
internal sealed class Interruption : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly CancellationTokenSource _cancel = new();
    private readonly PosixSignalRegistration _interrupt;
    private readonly PosixSignalRegistration _terminate;
    private int _signals;

    public Interruption()
    {
        _interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal);
        _terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal);
    }

    public CancellationToken StopToken => _stop.Token;

    public CancellationToken CancellationToken => _cancel.Token;

    private void OnSignal(PosixSignalContext context) => context.Cancel = Interrupt() <= 2;

    /// <returns>How many interruptions there were so far.</returns>
    public int Interrupt()
    {
        var signals = Interlocked.Increment(ref _signals);
        if (signals == 1)
        {
            _stop.Cancel();
        }
        else if (signals == 2)
        {
            _cancel.Cancel();
        }

        return signals;
    }

    public void Dispose()
    {
        _interrupt.Dispose();
        _terminate.Dispose();
        _stop.Dispose();
        _cancel.Dispose();
    }
}
