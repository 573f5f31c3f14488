using System.Globalization;
using System.Text;
using Restore.Planning.Records;

namespace Restore.Shards;

/// <summary>
/// A small file at the target of a split plan, made by the first part that comes: each part takes note of what is in it, so that the last step sees
/// if a machine wrote to another folder of the same name, because the shared file system was not mounted there.
/// </summary>
internal static class TargetMark
{
    private const int Tries = 50;
    private const int Length = 32;
    private const string Suffix = ".shards";
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    /// <summary>Reads the mark, and makes it if there is none.</summary>
    public static async Task<string> ReadOrMakeAsync(
        IRestoreTarget target, string folder, uint plan, TimeProvider time, CancellationToken cancellationToken)
    {
        for (int i = 0; i < Tries; i++)
        {
            if ((Read(target, folder, plan) ?? Make(target, folder, plan)) is { Length: Length } mark)
            {
                return mark;
            }

            // Another machine has made it, and has not written it yet.
            await Task.Delay(Pause, time, cancellationToken).ConfigureAwait(false);
        }

        // Its maker was killed, or its device lost it. If several machines write it now, the last one counts.
        Write(target, PathOf(folder, plan), TargetOpenMode.Share);
        await Task.Delay(Pause * Tries, time, cancellationToken).ConfigureAwait(false);
        return Read(target, folder, plan) is { Length: Length } made ? made : throw new RestoreException(
            RestoreErrorCode.TargetUnusable, "The mark of the plan at the target is empty", target.Display(PathOf(folder, plan)));
    }

    /// <summary>Reads the mark; null if there is none.</summary>
    public static string? Read(IRestoreTarget target, string folder, uint plan)
    {
        string path = PathOf(folder, plan);
        if (target.Inspect(path).Kind != TargetKind.File)
        {
            return null;
        }

        using ITargetFile file = target.OpenFile(path, TargetOpenMode.Read);
        byte[] content = new byte[Length];
        return Encoding.ASCII.GetString(content, 0, file.Read(0, content));
    }

    /// <summary>
    /// Whether a record has the name of a run of another plan, which others work on: a plan that is not finished has a mark. If the folder cannot be listed,
    /// all records are taken for theirs.
    /// </summary>
    public static Predicate<string> OfOthers(IRestoreTarget target, string folder, uint plan)
    {
        try
        {
            string[] others =
            [
                .. target.NamesIn(folder, RecordNames.Prefix).Where(name => name.EndsWith(Suffix, StringComparison.Ordinal) && name != NameOf(plan))
                    .Select(name => name[..^Suffix.Length]),
            ];
            return record => Array.Exists(others, other => record.StartsWith(other, StringComparison.Ordinal));
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return _ => true;
        }
    }

    public static void Remove(IRestoreTarget target, string folder, uint plan) => target.DeleteFile(PathOf(folder, plan));

    private static string? Make(IRestoreTarget target, string folder, uint plan)
    {
        try
        {
            return Write(target, PathOf(folder, plan), TargetOpenMode.CreateNew);
        }
        catch (IOException) when (target.Inspect(PathOf(folder, plan)).Kind == TargetKind.File)
        {
            return null;
        }
    }

    private static string Write(IRestoreTarget target, string path, TargetOpenMode mode)
    {
        string mark = Guid.NewGuid().ToString("N");
        using ITargetFile file = target.OpenFile(path, mode);
        file.Write(0, Encoding.ASCII.GetBytes(mark));
        file.Flush();
        return mark;
    }

    private static string PathOf(string folder, uint plan) => folder.Length == 0 ? NameOf(plan) : $"{folder}/{NameOf(plan)}";

    private static string NameOf(uint plan) => string.Create(CultureInfo.InvariantCulture, $"{RecordNames.Prefix}{plan:x8}{Suffix}");
}
