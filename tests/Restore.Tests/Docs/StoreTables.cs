namespace Restore.Tests.Docs;

/// <summary>The tables of docs/stores.md, made from what the stores declare.</summary>
internal static class StoreTables
{
    /// <summary>Where a backup can be.</summary>
    public static string Locations(StoreRegistry registry) =>
        Table(
            "| store | location | what it reaches |",
            registry.Providers.Select(provider =>
                $"| {provider.Name} | {string.Join(", ", provider.Locations.Select(Code))} | {provider.Summary} |"
            )
        );

    /// <summary>The options of a store.</summary>
    public static string Options(IEnumerable<StoreOption> options) =>
        Table("| option | default | meaning |", options.Select(Row));

    private static string Row(StoreOption option)
    {
        string names = string.Join(", ", option.Aliases.Prepend(option.Name).Select(Code));
        string secret = option.IsSecret ? " (secret)" : "";
        return $"| {names} | {option.Default} | {option.Meaning}{secret} |".Replace(
            "|  |",
            "| |",
            StringComparison.Ordinal
        );
    }

    private static string Table(string head, IEnumerable<string> rows) =>
        string.Join('\n', [head, "|---|---|---|", .. rows]) + "\n";

    private static string Code(string text) => $"`{text}`";
}
