namespace Restore.Ends.Linux;

/// <summary>Modes, owners, times and extended attributes.</summary>
internal static unsafe partial class Kernel
{
    public static int ChangeMode(int handle, int mode) => Result(Libc.FChmod(handle, (uint)mode));

    /// <summary>Changes the mode through a path-only handle, which fchmod refuses to do.</summary>
    public static int ChangeModeOfPathHandle(int handle, int mode)
    {
        fixed (byte* path = Encoding.ASCII.GetBytes($"/proc/self/fd/{handle}\0"))
        {
            return Result(Libc.Chmod(path, (uint)mode));
        }
    }

    public static int ChangeOwner(int handle, uint user, uint group) => Result(Libc.FChown(handle, user, group));

    public static int ChangeOwnerAt(int folder, ReadOnlySpan<byte> name, uint user, uint group)
    {
        fixed (byte* first = name)
        {
            return Result(Libc.FChownAt(folder, first, user, group, AtNoFollow));
        }
    }

    public static int SetModified(int handle, long ticks)
    {
        UnixTime* times = stackalloc UnixTime[] { UnixTime.Omit, UnixTime.FromTicks(ticks) };
        return Result(Libc.FUtimens(handle, times));
    }

    public static int SetModifiedAt(int folder, ReadOnlySpan<byte> name, long ticks)
    {
        UnixTime* times = stackalloc UnixTime[] { UnixTime.Omit, UnixTime.FromTicks(ticks) };
        fixed (byte* first = name)
        {
            return Result(Libc.UtimensAt(folder, first, times, AtNoFollow));
        }
    }

    /// <summary>Locks a file against other processes; fails with TryAgain if another one has it locked.</summary>
    public static int TryLock(int handle)
    {
        const int ExclusiveAtOnce = 6;
        return Result(Libc.Flock(handle, ExclusiveAtOnce));
    }

    public static int SetAttribute(int handle, ReadOnlySpan<byte> name, ReadOnlySpan<byte> value, bool onlyNew = false)
    {
        fixed (byte* firstName = name, firstValue = value)
        {
            return Result(Libc.FSetXattr(handle, firstName, firstValue, value.Length, onlyNew ? 1 : 0));
        }
    }

    /// <summary>Reads the names of the extended attributes, each with a NUL at its end.</summary>
    /// <returns>The length, or the negative error number.</returns>
    public static int ListAttributes(int handle, Span<byte> names)
    {
        fixed (byte* first = names)
        {
            nint length = Libc.FListXattr(handle, first, names.Length);
            return length < 0 ? -Marshal.GetLastPInvokeError() : (int)length;
        }
    }

    /// <summary>Reads an extended attribute.</summary>
    /// <returns>The length, or the negative error number.</returns>
    public static int ReadAttribute(int handle, ReadOnlySpan<byte> name, Span<byte> value)
    {
        fixed (byte* firstName = name, first = value)
        {
            nint length = Libc.FGetXattr(handle, firstName, first, value.Length);
            return length < 0 ? -Marshal.GetLastPInvokeError() : (int)length;
        }
    }
}
