namespace Restore.Cli.Options;

/// <summary>
/// What the program knows of the name of an option, whether the option is its own, a store's, or
/// only Duplicati's.
/// </summary>
/// <param name="Name">The name without dashes and in lower case.</param>
/// <param name="TakesValue">Whether the next argument is the value, if there is no '='.</param>
internal sealed record OptionForm(string Name, bool TakesValue)
{
    /// <summary>The declaration of an option of this program; null for any other.</summary>
    public Option? Option { get; init; }

    public bool IsOfStore { get; init; }
}
