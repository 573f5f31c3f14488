namespace Restore.Stores;

/// <summary>
/// The options given for a store, read by their declarations. An invalid value throws a
/// <see cref="RestoreException"/> with the code <see cref="RestoreErrorCode.StoreOptionInvalid"/>
/// that names the option and never shows the value of a secret.
/// </summary>
public sealed class StoreOptionValues
{
    private readonly Dictionary<string, string> values = new(StringComparer.OrdinalIgnoreCase);

    /// <param name="given">Names and values; the last value for a name counts.</param>
    internal StoreOptionValues(IEnumerable<KeyValuePair<string, string>> given)
    {
        foreach ((string name, string value) in given)
        {
            values[name] = value;
        }
    }

    /// <summary>The given names.</summary>
    internal IReadOnlyCollection<string> Names => values.Keys;

    /// <summary>Whether the option was given, with or without a value.</summary>
    public bool IsGiven(StoreOption option) => Find(option) is not null;

    /// <summary>The text of an option; null if it is not given or empty.</summary>
    public string? Text(StoreOption option) => Find(option) is { Length: > 0 } text ? text : null;

    /// <summary>The value of a switch, which is on if given without a value.</summary>
    /// <param name="option">The option.</param>
    /// <param name="defaultValue">The value if the option is not given.</param>
    public bool Flag(StoreOption option, bool defaultValue = false) =>
        Find(option)?.ToLowerInvariant() switch
        {
            null => defaultValue,
            "" or "true" or "1" or "on" or "yes" => true,
            "false" or "0" or "off" or "no" => false,
            _ => throw Unusable(option, "true or false"),
        };

    /// <summary>
    /// A whole number from 0 to <paramref name="maximum"/>; the declared default if it is not
    /// given.
    /// </summary>
    public int Count(StoreOption option, int maximum) =>
        int.TryParse(TextOrDefault(option), NumberStyles.None, CultureInfo.InvariantCulture, out int count)
        && count <= maximum
            ? count
            : throw Unusable(option, string.Create(CultureInfo.InvariantCulture, $"a number from 0 to {maximum}"));

    /// <summary>
    /// A time span in Duplicati's notation, at most a week; the declared default if it is not
    /// given.
    /// </summary>
    public TimeSpan Duration(StoreOption option) =>
        StoreOptionText.Duration(TextOrDefault(option))
        ?? throw Unusable(option, "a time such as 10s, 1m30s or 0:00:10");

    /// <summary>A size in Duplicati's notation; null if it is not given.</summary>
    /// <param name="option">The option.</param>
    /// <param name="bareUnitBytes">The unit of a number without a unit.</param>
    public long? Bytes(StoreOption option, long bareUnitBytes) =>
        Text(option) is not { } text
            ? null
            : StoreOptionText.Bytes(text, bareUnitBytes) ?? throw Unusable(option, "a size such as 500kb or 10mb");

    /// <summary>The error for an invalid value.</summary>
    /// <param name="option">The option.</param>
    /// <param name="expected">A description of valid values, in a few words.</param>
    public RestoreException Unusable(StoreOption option, string expected) =>
        new(
            RestoreErrorCode.StoreOptionInvalid,
            $"The option {option.Name} is {expected}{(option.IsSecret ? "" : $", not '{Find(option)}'")}"
        );

    private string? Find(StoreOption option) =>
        option
            .Aliases.Prepend(option.Name)
            .Select(name => values.GetValueOrDefault(name))
            .FirstOrDefault(value => value is not null);

    private string TextOrDefault(StoreOption option) =>
        Text(option)
        ?? option.Default
        ?? throw new ArgumentException($"The declaration of {option.Name} has no default", nameof(option));
}
