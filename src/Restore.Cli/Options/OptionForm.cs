namespace Restore.Cli.Options;

/// <summary>
/// What the program knows of a name of an option: its own options, those of the stores, and those
/// that only Duplicati has.
/// </summary>
/// <param name="Name">The name without dashes and in lower case.</param>
/// <param name="TakesValue">Whether the next argument is the value, if there is no '='.</param>
internal sealed record OptionForm(string Name, bool TakesValue)
{
    /// <summary>The declaration of an option of this program; null for any other.</summary>
    public Option? Option { get; init; }

    public bool IsOfStore { get; init; }
}
