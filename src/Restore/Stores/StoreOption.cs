namespace Restore.Stores;

/// <summary>
/// The declaration of an option of a store: the store reads the value by it, and error texts, help
/// and documentation follow from it.
/// </summary>
/// <param name="Name">Its name, Duplicati's if Duplicati has the option, in lower case and without
/// leading dashes.</param>
/// <param name="Meaning">What it does, in a few words, for help and documentation.</param>
public sealed record StoreOption(string Name, string Meaning)
{
    /// <summary>The type of its value.</summary>
    public StoreOptionKind Kind { get; init; }

    /// <summary>
    /// The default, for help and documentation; null if that needs no words. For a number or a
    /// duration, this is the value itself.
    /// </summary>
    public string? Default { get; init; }

    /// <summary>
    /// Other names. If several are given, <see cref="Name"/> takes precedence, then the first of
    /// these.
    /// </summary>
    public IReadOnlyList<string> Aliases { get; init; } = [];

    /// <summary>
    /// Whether the value is a credential, which no message, log or report may show.
    /// </summary>
    public bool IsSecret { get; init; }

    /// <summary>Whether the option has this name, in any case.</summary>
    public bool IsNamed(string name) =>
        Name.Equals(name, StringComparison.OrdinalIgnoreCase)
        || Aliases.Any(alias => alias.Equals(name, StringComparison.OrdinalIgnoreCase));
}
