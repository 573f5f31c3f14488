using System.Text.Unicode;

namespace Restore.Writing.Source;

/// <summary>
/// The extended attributes of users (<c>user.*</c>) and the access lists of entries on Linux. A
/// call that fails is a problem to report: only a file system that has no attributes has none.
/// </summary>
internal static unsafe class LinuxAttributes
{
    // Nearly no entry has more. The kernel allows 64 KiB of names; the attributes can grow between
    // the call for the length and the call for the names.
    private const int UsualBytes = 4096;
    private const int MaxTries = 4;

    private delegate nint Call(byte* buffer, nint length);

    private static ReadOnlySpan<byte> AccessLists => "system.posix_acl_"u8;

    /// <param name="follows">Whether a link at the end of the path is followed.</param>
    /// <param name="found">Receives the attributes.</param>
    /// <param name="failures">Receives a sentence for each call that failed.</param>
    /// <returns>False if an attribute is left out because its name is not text.</returns>
    public static bool Read(
        int folder,
        string path,
        bool follows,
        List<KeyValuePair<string, byte[]>> found,
        List<string> failures
    )
    {
        if (HasNone(path, follows))
        {
            return true;
        }

        string place = LinuxSource.InFolder(folder, path);
        byte[]? names = Fetch(
            (buffer, length) =>
                follows ? Libc.ListXattr(place, buffer, length) : Libc.LListXattr(place, buffer, length),
            out int error
        );
        if (names is null)
        {
            if (error is not (Errno.NotSupported or Errno.NotImplemented))
            {
                failures.Add($"its extended attributes cannot be listed: {Marshal.GetPInvokeErrorMessage(error)}");
            }

            return true;
        }

        bool areAll = true;
        ReadOnlySpan<byte> rest = names;
        while (rest.IndexOf((byte)0) is var end and >= 0)
        {
            ReadOnlySpan<byte> name = rest[..end];
            rest = rest[(end + 1)..];
            if (name.StartsWith("user."u8) || name.StartsWith(AccessLists))
            {
                areAll &= Take(place, name, follows, found, failures);
            }
        }

        return areAll;
    }

    /// <summary>
    /// Whether an entry has no attributes. Nearly no entry has any, and a call by its path says so
    /// sooner than a call by the handle of its folder.
    /// </summary>
    private static bool HasNone(string path, bool follows) =>
        (follows ? Libc.ListXattr(path, null, 0) : Libc.LListXattr(path, null, 0)) == 0;

    private static bool Take(
        string place,
        ReadOnlySpan<byte> name,
        bool follows,
        List<KeyValuePair<string, byte[]>> found,
        List<string> failures
    )
    {
        if (!Utf8.IsValid(name))
        {
            return false;
        }

        string text = Encoding.UTF8.GetString(name);
        byte[]? value = Fetch(
            (buffer, length) =>
                follows ? Libc.GetXattr(place, text, buffer, length) : Libc.LGetXattr(place, text, buffer, length),
            out int error
        );
        if (value is not null)
        {
            found.Add(new KeyValuePair<string, byte[]>(text, value));
        }
        else if (error != Errno.NoData)
        {
            failures.Add($"its extended attribute {text} cannot be read: {Marshal.GetPInvokeErrorMessage(error)}");
        }

        return true;
    }

    /// <summary>
    /// Repeats a call with more room until its answer fits; null if the call fails.
    /// </summary>
    private static byte[]? Fetch(Call call, out int error)
    {
        byte[] buffer = new byte[UsualBytes];
        error = 0;
        for (int trial = 0; trial < MaxTries; trial++)
        {
            fixed (byte* first = buffer)
            {
                nint length = call(first, buffer.Length);
                if (length >= 0)
                {
                    return buffer[..(int)length];
                }

                error = Marshal.GetLastPInvokeError();
                nint needed = error == Errno.Range ? call(first, 0) : -1;
                if (needed < 0)
                {
                    error = error == Errno.Range ? Marshal.GetLastPInvokeError() : error;
                    return null;
                }

                buffer = new byte[needed + UsualBytes];
            }
        }

        return null;
    }
}
