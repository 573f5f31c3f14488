using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Restore.Cli.Interop;
using Restore.Interop;

namespace Restore.Cli;

/// <summary>The reader of the standard output has gone: nobody wants the rest.</summary>
internal sealed class OutputClosedException() : IOException("The reader of the output has gone");

internal static class OutputFailure
{
    /// <summary>The failure of a command whose output cannot be written.</summary>
    /// <param name="failure">What the system said.</param>
    /// <param name="what">What is written.</param>
    /// <param name="path">The file; null for the standard output.</param>
    public static RestoreException Of(Exception failure, string what, string? path = null) => new(
        WriteFailure.CodeOfOutput(failure),
        $"{what} cannot be written ({failure.Message})",
        path ?? "standard output",
        failure);
}

/// <summary>Takes bytes in order, and keeps none back.</summary>
internal abstract class OutputStream : Stream
{
    public sealed override bool CanRead => false;

    public sealed override bool CanSeek => false;

    public sealed override bool CanWrite => true;

    public sealed override long Length => throw new NotSupportedException();

    public sealed override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public sealed override void Flush()
    {
    }

    public sealed override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public sealed override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public sealed override void SetLength(long value) => throw new NotSupportedException();

    public abstract override void Write(ReadOnlySpan<byte> buffer);

    public sealed override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));
}

/// <summary>Unlike the console's stream, it reports that a pipe was closed, so that nothing is fetched for nobody; unlike a file stream, it
/// moves the position that it shares with other programs.</summary>
[UnsupportedOSPlatform("windows")]
internal sealed class OutputPipe(int descriptor = OutputPipe.StandardOutput) : OutputStream
{
    private const int StandardOutput = 1;
    private const int Interrupted = 4;
    private const int BrokenPipe = 32;
    private const int FullOnLinux = 11;
    private const int FullElsewhere = 35;
    private const short IsWritable = 4;
    private const short IsReadable = 1;
    private const short IsBroken = 8;
    private const short HasHungUp = 16;

    /// <summary>A token that is cancelled when the reader of the standard output goes away. It costs a thread that sleeps until then.</summary>
    public static CancellationToken WatchReader(int descriptor = StandardOutput)
    {
        CancellationTokenSource gone = new();
        new Thread(() =>
        {
            // macOS says that the reader has gone as a hang-up, and only to whom waits for input, which a pipe never has at this end.
            HostLibc.PollDescriptor waiting = new() { Descriptor = descriptor, Events = OperatingSystem.IsMacOS() ? IsReadable : (short)0 };
            while (HostLibc.Poll(ref waiting, 1, timeout: -1) < 0 && Marshal.GetLastPInvokeError() == Interrupted)
            {
            }

            if ((waiting.Happened & (IsBroken | HasHungUp)) != 0)
            {
                gone.Cancel();
            }
        }) { IsBackground = true, Name = "Reader of the output" }.Start();
        return gone.Token;
    }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        while (!buffer.IsEmpty)
        {
            var written = Write(descriptor, buffer);
            if (written >= 0)
            {
                buffer = buffer[(int)written..];
                continue;
            }

            var error = Marshal.GetLastPInvokeError();
            if (error == (OperatingSystem.IsLinux() ? FullOnLinux : FullElsewhere))
            {
                // The pipe is full, and another program that has it too made writes to it return immediately.
                var waiting = new HostLibc.PollDescriptor { Descriptor = descriptor, Events = IsWritable };
                _ = HostLibc.Poll(ref waiting, 1, timeout: -1);
            }
            else if (error != Interrupted)
            {
                throw error == BrokenPipe ? new OutputClosedException() : new IOException(Marshal.GetPInvokeErrorMessage(error), error);
            }
        }
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Write(buffer.Span);
        return ValueTask.CompletedTask;
    }

    private static unsafe nint Write(int descriptor, ReadOnlySpan<byte> buffer)
    {
        fixed (byte* first = buffer)
        {
            return Libc.Write(descriptor, first, buffer.Length);
        }
    }
}

/// <summary>The standard output or error. That it is closed or on a full disk does not end the work: what cannot be written is lost.</summary>
internal sealed class StandardStream(Stream stream) : OutputStream
{
    /// <summary>The first write that failed; null if none did.</summary>
    public Exception? Failure { get; private set; }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        try
        {
            stream.Write(buffer);
        }
        catch (ArgumentOutOfRangeException failure)
        {
            Failure ??= WriteFailure.TooLarge(failure);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            Failure ??= failure;
        }
    }
}

/// <summary>A file that another program may read at any time: it has the old content or the new one, never a part.</summary>
internal static class OutputFile
{
    private static readonly string[] VolumeKinds = [".dblock.", ".dindex.", ".dlist."];

    /// <summary>Refuses to write into a volume, wherever it is: where the backup is may be known only later, from a plan.</summary>
    public static void RefuseVolume(string option, string path)
    {
        var name = Path.GetFileName(path);
        if (VolumeKinds.Any(kind => name.Contains(kind, StringComparison.OrdinalIgnoreCase)))
        {
            throw new UsageException($"{option}: {path} has the name of a volume of a backup; give another name");
        }
    }

    public static void Check(string option, string path)
    {
        RefuseVolume(option, path);
        var full = Path.GetFullPath(path);
        var problem = Path.EndsInDirectorySeparator(full) || Directory.Exists(full) ? "is a folder"
            : !Directory.Exists(Path.GetDirectoryName(full)) ? "cannot be written: its folder does not exist"
            : full.StartsWith("/dev/", StringComparison.Ordinal) ? "is a device, not a file"
            : null;
        if (problem is not null)
        {
            throw new UsageException($"{option}: {path} {problem}");
        }
    }

    /// <summary>It is for this user alone if it is private: a report shows what is in a backup. If writing fails, an old file stays as it was.</summary>
    public static void Write(string path, Action<TextWriter> write, bool isPrivate = true)
    {
        using AtomicFile file = new(path, AtomicFileOptions.Replaces | (isPrivate ? AtomicFileOptions.Private : AtomicFileOptions.None));
        using (var text = new StreamWriter(file.Stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { NewLine = "\n" })
        {
            write(text);
        }

        file.Commit();
    }
}

/// <summary>Paths of this machine.</summary>
internal static class FolderPath
{
    private const int MaxLinks = 40;

    /// <summary>Whether a path is a folder, or in it, by its name or by where its links lead.</summary>
    public static bool IsInside(string path, string folder) =>
        IsBelow(Path.GetFullPath(path), Path.GetFullPath(folder)) || IsBelow(Real(Path.GetFullPath(path)), Real(Path.GetFullPath(folder)));

    private static bool IsBelow(string path, string folder)
    {
        var relative = Path.GetRelativePath(folder, path);
        return relative != ".." && !relative.StartsWith(".." + Path.DirectorySeparatorChar, StringComparison.Ordinal) && !Path.IsPathRooted(relative);
    }

    /// <summary>The path without links; what does not exist or cannot be looked at counts as no link.</summary>
    private static string Real(string path, int links = 0)
    {
        var real = Path.GetPathRoot(path)!;
        foreach (var name in path[real.Length..].Split(Path.DirectorySeparatorChar, StringSplitOptions.RemoveEmptyEntries))
        {
            real = Path.Join(real, name);
            if (links < MaxLinks && TargetOf(real) is { } target)
            {
                real = Real(Path.GetFullPath(target), links + 1);
            }
        }

        return real;
    }

    private static string? TargetOf(string path)
    {
        try
        {
            return new DirectoryInfo(path).ResolveLinkTarget(returnFinalTarget: false)?.FullName;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
