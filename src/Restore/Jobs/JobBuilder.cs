namespace Restore.Jobs;

/// <summary>
/// A job while it is read: decrypts its settings, and keeps the first reason why one cannot be.
/// </summary>
internal sealed class JobBuilder(SettingsKey key, string origin, string id, string name)
{
    // An export without secrets has asterisks in their place.
    private const int ShortestMask = 4;

    private readonly Dictionary<string, string> options = new(StringComparer.OrdinalIgnoreCase);
    private readonly List<string> sources = [];
    private readonly List<FilterRule> filters = [];
    private string? problem;
    private string? location;

    public string? DatabasePath { get; set; }

    public async Task SetLocationAsync(string value, CancellationToken cancellationToken) =>
        location = await OpenAsync(value, cancellationToken).ConfigureAwait(false) is { Length: > 0 } text
            ? text
            : null;

    public async Task AddOptionAsync(string name, string value, CancellationToken cancellationToken)
    {
        if (await OpenAsync(value, cancellationToken).ConfigureAwait(false) is string text && !IsMask(text))
        {
            options[name.TrimStart('-')] = text;
        }
    }

    public async Task AddSourceAsync(string value, CancellationToken cancellationToken)
    {
        if (await OpenAsync(value, cancellationToken).ConfigureAwait(false) is string text)
        {
            sources.Add(text);
        }
    }

    public void AddFilter(bool include, string expression) => filters.Add(new FilterRule(include, expression));

    public DuplicatiJob ToJob() =>
        new()
        {
            Id = id,
            Name = name,
            Origin = origin,
            Location = location,
            DatabasePath = DatabasePath,
            Sources = sources,
            Options = options,
            Filters = filters,
            Problem = problem,
        };

    private static bool IsMask(string value) =>
        value.Length >= ShortestMask && value.All(character => character == '*');

    private async Task<string?> OpenAsync(string value, CancellationToken cancellationToken)
    {
        (string? text, string? reason) = await key.OpenAsync(value, cancellationToken).ConfigureAwait(false);
        problem ??= reason;
        return text;
    }
}
