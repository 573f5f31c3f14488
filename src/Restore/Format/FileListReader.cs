using System.Text.Json;

namespace Restore.Format;

/// <summary>
/// Streams the entries of a <c>filelist.json</c> to a sink: hundreds of megabytes without an object or a string per entry.
/// </summary>
internal static class FileListReader
{
    /// <summary>
    /// Reads a list to the end of its stream. Entries that cannot be used go to <see cref="IFileListSink.Unusable"/>, and the rest of the list stays usable:
    /// unknown types, repeated properties, and sizes, hashes and blocklists that do not fit <paramref name="layout"/>.
    /// </summary>
    /// <exception cref="InvalidDataException">
    /// The list as a whole is broken (not a JSON array, cut, something after the end, a text of over 1 MiB); discard what the sink received.
    /// </exception>
    public static void Read(Stream json, IFileListSink sink, BlockLayout layout, CancellationToken cancellationToken)
    {
        using var fields = new FileListFields(layout);
        var reader = new JsonStreamReader(json, cancellationToken);
        try
        {
            ReadList(ref reader, fields, sink);
        }
        catch (JsonException e)
        {
            string place = $"byte {e.BytePositionInLine} of line {e.LineNumber + 1}";
            throw new InvalidDataException($"The file list is not valid JSON at {place}, so none of it can be trusted", e);
        }
        finally
        {
            reader.Dispose();
        }
    }

    private static void ReadList(ref JsonStreamReader json, FileListFields fields, IFileListSink sink)
    {
        json.Read();
        if (json.TokenType != JsonTokenType.StartArray)
        {
            throw new InvalidDataException("The file list is not a JSON array");
        }

        for (long number = 1; json.Read() && json.TokenType != JsonTokenType.EndArray; number++)
        {
            if (json.TokenType != JsonTokenType.StartObject)
            {
                json.Skip();
                sink.Unusable($"entry {number}", "It is not a JSON object");
                continue;
            }

            fields.Read(ref json);
            if (fields.Problem() is { } problem)
            {
                sink.Unusable(fields.PathForReport() ?? $"entry {number}", problem);
            }
            else
            {
                sink.Entry(fields.Entry());
            }
        }

        // Reads to the end of the stream: anything after the array is an error, and only there does an archive's stream check its length and CRC.
        json.Read();
    }
}
