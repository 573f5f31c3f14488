namespace Restore.Tests.Storage.Servers;

/// <summary>What goes wrong with an exchange.</summary>
public sealed record Fault
{
    /// <summary>Which requests it befalls, by their first lines; all by default.</summary>
    public Func<string, bool> On { get; init; } = _ => true;

    /// <summary>How often.</summary>
    public int Times { get; init; } = int.MaxValue;

    /// <summary>Wait before the request continues.</summary>
    public TimeSpan Latency { get; init; }

    /// <summary>
    /// Answer by the proxy itself, for example <c>503 Busy</c>, with further header lines.
    /// </summary>
    public string? Answer { get; init; }

    /// <summary>
    /// Bytes of the body after which nothing more comes, though the connection stays; before the
    /// head when negative.
    /// </summary>
    public int? StallAfter { get; init; }

    /// <summary>Bytes of the body after which the connection is reset.</summary>
    public int? ResetAfter { get; init; }

    /// <summary>Bytes of the body after which the connection ends as if all were said.</summary>
    public int? EndAfter { get; init; }

    /// <summary>Most bytes of the body sent in a twentieth of a second.</summary>
    public int? TrickleBytes { get; init; }

    /// <summary>Changes the head of the request on its way.</summary>
    public Func<string, string> ChangeRequest { get; init; } = head => head;

    /// <summary>Changes the head of the answer on its way.</summary>
    public Func<string, string> ChangeAnswer { get; init; } = head => head;

    /// <summary>Position in the body of a byte that is turned over.</summary>
    public int? WrongByteAt { get; init; }

    /// <summary>A request for a file, with credentials if there are any to be sent.</summary>
    public static bool IsRead(string head) =>
        head.StartsWith("GET ", StringComparison.Ordinal) && !IsListing(head) && IsAuthorized(head);

    /// <summary>A request for a listing.</summary>
    public static bool IsListing(string head) =>
        IsAuthorized(head)
        && (
            head.StartsWith("PROPFIND", StringComparison.Ordinal)
            || head.Contains("list-type=2", StringComparison.Ordinal)
            || head.Contains("comp=list", StringComparison.Ordinal)
        );

    private static bool IsAuthorized(string head) =>
        head.Contains("Authorization:", StringComparison.OrdinalIgnoreCase)
        || head.Contains("sig=", StringComparison.Ordinal);
}
