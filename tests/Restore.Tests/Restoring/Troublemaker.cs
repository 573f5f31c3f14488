using Restore.Csp;

namespace Restore.Tests.Restoring;

/// <summary>What goes wrong on purpose.</summary>
internal sealed class TroubleException() : Exception("Trouble made by a test");

/// <summary>
/// Acts in one process when its n-th message passes, and counts messages and running processes.
/// </summary>
/// <param name="process">Name of the process.</param>
/// <param name="at">The number of the message, from 1.</param>
/// <param name="act">What to do then; may throw.</param>
internal sealed class Troublemaker(string process, int at, Action act)
{
    private int passed;
    private int running;

    /// <summary>Messages of the process that have passed.</summary>
    public int Passed => passed;

    /// <summary>Processes that have begun and not ended.</summary>
    public int Running => running;

    public Meter? MeterOf(string name) => new Watch(this, name);

    private void Pass(string name)
    {
        if (name == process && Interlocked.Increment(ref passed) == at)
        {
            act();
        }
    }

    private sealed class Watch(Troublemaker owner, string name) : Meter(TimeProvider.System)
    {
        public override void Begin()
        {
            Interlocked.Increment(ref owner.running);
            base.Begin();
        }

        public override void End()
        {
            base.End();
            Interlocked.Decrement(ref owner.running);
        }

        public override void CountRead<T>(T message)
        {
            base.CountRead(message);
            try
            {
                owner.Pass(name);
            }
            catch
            {
                // The message was taken and will not reach the process.
                (message as IDisposable)?.Dispose();
                throw;
            }
        }

        public override void CountWritten<T>(T message)
        {
            base.CountWritten(message);

            // Processes without an input; the others fail by what they read.
            if (name is "VolumeManager" or "FileLister")
            {
                owner.Pass(name);
            }
        }
    }
}
