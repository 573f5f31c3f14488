using Restore.Ends;

namespace Restore.Tests.Ends;

/// <summary>How often the system is asked for an account.</summary>
public sealed class RememberedAnswersTests
{
    [Fact]
    public void The_system_is_asked_once_for_each_account_also_for_one_that_it_does_not_know()
    {
        List<string> asked = [];
        RememberedAnswers<string?> answers = new(Ask);
        for (int rule = 0; rule < 3; rule++)
        {
            Assert.Equal("S-1-5-32-545", answers.Of("ann"));
            Assert.Null(answers.Of("gone"));
        }

        Assert.Equal(["ann", "gone"], asked);

        string? Ask(string account)
        {
            asked.Add(account);
            return account == "ann" ? "S-1-5-32-545" : null;
        }
    }

    [Fact]
    public void A_backup_with_another_account_in_every_entry_takes_no_more_memory()
    {
        const int Accounts = 10_000;
        int asked = 0;
        RememberedAnswers<int> answers = new(name =>
        {
            asked++;
            return int.Parse(name, null);
        });
        for (int look = 0; look < 2; look++)
        {
            for (int account = 0; account < Accounts; account++)
            {
                Assert.Equal(account, answers.Of($"{account}"));
            }
        }

        // What is remembered is not asked for again; the rest is.
        Assert.InRange((2 * Accounts) - asked, 1, 5000);
    }
}
