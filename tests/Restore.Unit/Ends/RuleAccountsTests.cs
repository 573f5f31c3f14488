using System.Collections.Concurrent;
using Restore.Ends.Portable;

namespace Restore.Tests.Ends;

/// <summary>How often the system is asked for the accounts of access rules.</summary>
public sealed class RuleAccountsTests
{
    [Fact]
    public void The_system_is_asked_once_for_each_account_also_for_one_that_it_does_not_know()
    {
        ConcurrentDictionary<string, string?> known = new();
        List<string> asked = [];
        for (int rule = 0; rule < 3; rule++)
        {
            Assert.Equal("S-1-5-32-545", RuleAccounts.Remembered("ann", Ask, known));
            Assert.Null(RuleAccounts.Remembered("gone", Ask, known));
        }

        Assert.Equal(["ann", "gone"], asked);

        string? Ask(string account)
        {
            asked.Add(account);
            return account == "ann" ? "S-1-5-32-545" : null;
        }
    }

    [Fact]
    public void A_backup_with_another_account_in_every_rule_takes_no_more_memory()
    {
        ConcurrentDictionary<string, int> known = new();
        for (int account = 0; account < 10_000; account++)
        {
            Assert.Equal(account, RuleAccounts.Remembered($"{account}", name => int.Parse(name, null), known));
        }

        Assert.InRange(known.Count, 1, 5000);
    }
}
