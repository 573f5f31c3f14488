using Restore.Cli.Options;

namespace Restore.Tests.Docs;

/// <summary>What docs/stores.md says of the stores is what they declare.</summary>
public sealed class StoresPageTests
{
    private static readonly StoreRegistry Registry = HostStores.Registry;

    public static TheoryData<string> Stores =>
        [.. Registry.Providers.Where(provider => provider.Options.Count > 0).Select(provider => provider.Name)];

    [Fact]
    public void The_page_lists_every_store() => AssertOnPage(StoreTables.Locations(Registry));

    [Fact]
    public void The_page_lists_the_options_that_all_stores_have() =>
        AssertOnPage(StoreTables.Options(Registry.CommonOptions));

    [Theory]
    [MemberData(nameof(Stores))]
    public void The_page_lists_the_options_of_a_store(string name) =>
        AssertOnPage(StoreTables.Options(Registry.Providers.Single(provider => provider.Name == name).Options));

    [Fact]
    public void An_option_of_several_stores_is_read_and_kept_secret_alike_by_all() =>
        Assert.All(
            Registry
                .Providers.SelectMany(provider => provider.Options)
                .Concat(Registry.CommonOptions)
                .GroupBy(option => option.Name),
            same =>
                Assert.Single(
                    same.Select(option => (option.Kind, option.IsSecret, string.Join(' ', option.Aliases))).Distinct()
                )
        );

    [Fact]
    public void Every_declared_default_of_a_number_or_a_time_can_be_read()
    {
        var none = new StoreOptionValues([]);
        Assert.All(
            Registry.Options.Where(option => option.Kind == StoreOptionKind.Duration),
            option => Assert.True(none.Duration(option) > TimeSpan.Zero)
        );
        Assert.All(
            Registry.Options.Where(option => option.Kind == StoreOptionKind.Number),
            option => Assert.True(none.Count(option, 1000) > 0)
        );
    }

    private static void AssertOnPage(string table) =>
        Assert.True(
            Page.Of("docs/stores.md").Text.Contains(table, StringComparison.Ordinal),
            $"docs/stores.md lacks this table:\n{table}"
        );
}
