using System.Buffers;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore ls</c>: the entries of one version.</summary>
internal static class ListCommand
{
    private static readonly SearchValues<char> NotPlain = SearchValues.Create("*?[]{}@");

    public static Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(async backup =>
    {
        var request = context.Request;
        var version = context.ChooseVersion(backup);
        var filter = EntryFilter.Parse(request.Operands.SelectMany(WithContent), request.Rules);
        long entries = 0;
        await foreach (var entry in backup.ListAsync(version, filter, context.Environment.StopToken))
        {
            entries++;
            if (request.Json)
            {
                Json.Write(context.Output, json => Json.Entry(json, entry));
            }
            else
            {
                context.Output.WriteLine(EntryText.Line(entry, context.Environment.Clock));
            }
        }

        return entries > 0 ? ExitCodes.Complete : throw new RestoreException(
            RestoreErrorCode.NothingSelected, $"Nothing in version {version.Index} matches {filter.Describe()}");
    });

    /// <summary>Whoever lists a path with or without a separator at its end wants to see what is in the folder.</summary>
    private static IEnumerable<string> WithContent(string path)
    {
        yield return path;
        var separator = path.Contains('/', StringComparison.Ordinal) ? '/' : '\\';
        if (path.Contains(separator, StringComparison.Ordinal) && !path.EndsWith(separator) && path.AsSpan().IndexOfAny(NotPlain) < 0)
        {
            yield return path + separator;
        }
    }
}
