using System.Text.Json.Serialization.Metadata;

namespace Restore.Browse.Calls;

/// <summary>What the page asks for, and the way back: over HTTP, or inside of a tab.</summary>
internal abstract class BrowseCall
{
    /// <summary>Cancelled when the client no longer waits for the answer.</summary>
    public abstract CancellationToken Aborted { get; }

    /// <summary>A value of the address; empty if it is not there.</summary>
    public abstract string ValueOf(string name);

    /// <exception cref="CallException">It is not JSON of that form.</exception>
    public abstract Task<T> ReadAsync<T>(JsonTypeInfo<T> type);

    public abstract Task WriteAsync<T>(T value, JsonTypeInfo<T> type);

    public string Text(string name, int longest = 1000)
    {
        string text = ValueOf(name);
        return text.Length <= longest ? text : throw new CallException(CallStatus.BadRequest, $"'{name}' is too long");
    }

    public int Number(string name, int limit = int.MaxValue, int? absent = null)
    {
        string text = ValueOf(name);
        return text.Length == 0 && absent is int number ? number
            : int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int value) && value <= limit
                ? value
            : throw new CallException(CallStatus.BadRequest, $"'{name}' is not a number from 0 to {limit}");
    }

    public BackupVersion Version(Backup backup, string name = "version")
    {
        int index = Number(name);
        return backup.Versions.FirstOrDefault(version => version.Index == index)
            ?? throw new CallException(CallStatus.NotFound, $"There is no version {index}");
    }
}
