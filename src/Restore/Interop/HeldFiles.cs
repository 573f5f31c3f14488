namespace Restore.Interop;

/// <summary>
/// Repeats an operation that failed because another program has a file open. On Windows, virus
/// scanners, indexers and sync clients open each new file for a moment, and an open file cannot be
/// renamed, replaced or removed. Safe for concurrent use.
/// </summary>
internal sealed class HeldFiles(bool areThere, int patienceMilliseconds = 4000, int mostInVainMilliseconds = 40_000)
{
    private const int SharingViolation = unchecked((int)0x80070020);
    private const int LockViolation = unchecked((int)0x80070021);
    private const int DeletePending = unchecked((int)0x8007012F);
    private const int MappedFile = unchecked((int)0x800704C8);
    private const int FirstPauseMilliseconds = 10;
    private const int LongestPauseMilliseconds = 250;

    private readonly Lock gate = new();

    // A thousand files that stay closed to the user must not make a restore wait for an hour.
    private int inVain;

    /// <summary>
    /// Waits for other programs on Windows; elsewhere files can be renamed and removed while they
    /// are open.
    /// </summary>
    public HeldFiles()
        : this(OperatingSystem.IsWindows()) { }

    /// <summary>
    /// Runs an action on a file, and repeats it for some seconds while another program holds the
    /// file open.
    /// </summary>
    public T Retry<T>(Func<T> action)
    {
        int pause = FirstPauseMilliseconds;
        for (int waited = 0; ; waited += pause, pause = Math.Min(2 * pause, LongestPauseMilliseconds))
        {
            try
            {
                return action();
            }
            catch (Exception failure) when (areThere && IsHeld(failure) && MayWait(waited))
            {
                Wait(pause);
            }
        }
    }

    public void Retry(Action action) =>
        Retry(() =>
        {
            action();
            return true;
        });

    /// <summary>
    /// What Windows answers while a file is open in another program, or about to be removed. A
    /// denied access can have another cause.
    /// </summary>
    private static bool IsHeld(Exception failure) =>
        failure is UnauthorizedAccessException
        || failure.HResult is SharingViolation or LockViolation or DeletePending or MappedFile;

    private bool MayWait(int waited)
    {
        lock (gate)
        {
            // Two limits: for one file, and for all files together that stayed closed. Time that a
            // successful wait took does not count.
            if (waited < patienceMilliseconds && inVain + waited < mostInVainMilliseconds)
            {
                return true;
            }

            inVain += waited;
            return false;
        }
    }

    private static void Wait(int milliseconds)
    {
        object nothing = new();
        lock (nothing)
        {
            // Nothing wakes it: only the other program knows when it closes the file.
            _ = Monitor.Wait(nothing, milliseconds);
        }
    }
}
