namespace Restore;

/// <summary>
/// An option of a store, declared once: the store reads its value by this declaration, and error texts, help and documentation follow from it.
/// </summary>
/// <param name="Name">Its name, Duplicati's where Duplicati has it, in lower case and without dashes in front.</param>
/// <param name="Meaning">What it does, in a few words, for help and documentation.</param>
public sealed record StoreOption(string Name, string Meaning)
{
    /// <summary>What its value is.</summary>
    public StoreOptionKind Kind { get; init; }

    /// <summary>
    /// What holds if it is not given, for help and documentation; null if that needs no words. Of a number or a duration it is the value itself.
    /// </summary>
    public string? Default { get; init; }

    /// <summary>Other names of it. If several are given, <see cref="Name"/> counts, then the first of these.</summary>
    public IReadOnlyList<string> Aliases { get; init; } = [];

    /// <summary>Whether the value is a credential, which no message, log or report may show.</summary>
    public bool IsSecret { get; init; }

    /// <summary>Whether the option is called so, in any case of its letters.</summary>
    public bool IsNamed(string name) =>
        Name.Equals(name, StringComparison.OrdinalIgnoreCase) || Aliases.Any(alias => alias.Equals(name, StringComparison.OrdinalIgnoreCase));
}
