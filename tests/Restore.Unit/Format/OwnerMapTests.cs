using Restore.Format;

namespace Restore.Tests.Format;

public sealed class OwnerMapTests
{
    private const string Old = "S-1-5-21-1004336348-1177238915-682003330-1001";
    private const string Rules =
        "[{\"Rights\":2032127,\"SID\":\"" + Old + "\",\"Inherited\":false},{\"Rights\":1,\"SID\":\"S-1-1-0\"}]";

    private static readonly EntryMetadata Ann = new()
    {
        UserId = 1000,
        OwnerName = "ann",
        GroupId = 50,
        GroupName = "staff",
        WindowsAccessRules = Rules,
    };

    [Fact]
    public void A_user_is_replaced_by_its_name_and_the_group_stays()
    {
        EntryMetadata mapped = Map(("ann", "anna"));
        Assert.Equal(("anna", null), (mapped.OwnerName, mapped.UserId));
        Assert.Equal(("staff", 50u), (mapped.GroupName, mapped.GroupId));
        Assert.Equal(Rules, mapped.WindowsAccessRules);
    }

    [Fact]
    public void A_number_takes_the_place_of_name_and_number()
    {
        EntryMetadata mapped = Map(("1000", "2000"), (":staff", ":100"));
        Assert.Equal((null, 2000u), (mapped.OwnerName, mapped.UserId));
        Assert.Equal((null, 100u), (mapped.GroupName, mapped.GroupId));
    }

    [Fact]
    public void A_name_takes_precedence_over_a_number() =>
        Assert.Equal("by-name", Map(("1000", "by-number"), ("ann", "by-name")).OwnerName);

    [Fact]
    public void A_group_is_not_a_user_of_the_same_name()
    {
        EntryMetadata mapped = Map((":ann", ":users"), ("staff", "root"), ("50", "0"));
        Assert.Equal(("ann", 1000u, "staff", 50u), (mapped.OwnerName, mapped.UserId, mapped.GroupName, mapped.GroupId));
    }

    [Theory]
    [InlineData(Old)]
    [InlineData("s-1-5-21-1004336348-1177238915-682003330-1001")]
    public void An_access_rule_gets_the_other_account_and_the_other_rules_stay(string old) =>
        Assert.Equal(
            Rules.Replace(Old, "PC\\\\ann", StringComparison.Ordinal),
            Map((old, "PC\\ann")).WindowsAccessRules
        );

    [Theory]
    [InlineData("")]
    [InlineData("{")]
    [InlineData("{}")]
    [InlineData("[1,null,{\"SID\":7},{\"SID\":\"\\ud800\"}]")]
    [InlineData("[{\"SID\":null,\"SID\":\"S-1-1-0\"}]")]
    public void Rules_that_are_not_sound_stay_for_the_target_to_report(string rules)
    {
        EntryMetadata mapped = MapOf((Old, "ann")).Apply(Ann with { WindowsAccessRules = rules });
        Assert.Equal(rules, mapped.WindowsAccessRules);
    }

    [Fact]
    public void Without_permissions_or_owners_there_is_no_map()
    {
        Assert.Null(OwnerMap.Of(new RestoreOptions { RestorePermissions = true }));
        Assert.Null(OwnerMap.Of(OptionsOf(("ann", "anna")) with { RestorePermissions = false }));
    }

    private static EntryMetadata Map(params (string Old, string New)[] owners) => MapOf(owners).Apply(Ann);

    private static OwnerMap MapOf(params (string Old, string New)[] owners) => OwnerMap.Of(OptionsOf(owners))!;

    private static RestoreOptions OptionsOf(params (string Old, string New)[] owners) =>
        new() { RestorePermissions = true, MapOwners = owners.ToDictionary(pair => pair.Old, pair => pair.New) };
}
