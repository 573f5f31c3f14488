namespace Restore.Cli.Options;

/// <summary>
/// What an option of this program has beside what System.CommandLine knows of an option.
/// </summary>
internal interface IRestoreOption
{
    string? DefaultText { get; }

    string? Range { get; }

    /// <summary>True if each use counts, not only the last one.</summary>
    bool IsRepeatable { get; }

    /// <summary>Words that a switch takes beside true and false: --name=word.</summary>
    IReadOnlyList<string> OtherWords { get; }

    /// <summary>True if the option says where the backup is, so that no argument does.</summary>
    bool NamesBackup { get; }

    /// <summary>True if the value is the folder that is written to.</summary>
    bool NamesTarget { get; }

    /// <summary>
    /// Why a command that does not take this switch is refused with it; null if the switch only has
    /// no effect.
    /// </summary>
    string? RefusalBy(ICliCommand command);

    /// <summary>
    /// Returns the request with the value in its place; unchanged for an option that its command
    /// reads itself. The text is what one use of a repeatable option gives.
    /// </summary>
    HostRequest Apply(HostRequest request, ParseResult result, string text);
}
