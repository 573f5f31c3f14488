using System.Text;
using Restore.Catalog;

namespace Restore.Tests.Catalog;

/// <summary>
/// The paths of an honest list fit, however many; those that are made to fill the memory do not.
/// </summary>
public sealed class PathBudgetTests
{
    private readonly PathBudget budget = new();

    [Fact]
    public void Folders_that_repeat_cost_nothing()
    {
        string folder = "/home/" + new string('f', 200) + "/";
        for (int i = 0; i < 2_000_000; i++)
        {
            Assert.True(budget.TryTake(Encoding.UTF8.GetBytes($"{folder}{i / 4}/a file of some length {i}")));
        }
    }

    [Theory]
    [InlineData(4000, 1)]
    [InlineData(4000, 2)]
    [InlineData(90_000, 255)]
    public void Long_paths_that_share_nothing_are_refused_at_some_time(int lengthBytes, int nameBytes)
    {
        byte[] path = new byte[lengthBytes];
        Random random = new(1);
        long taken = 0;
        for (int i = 0; i < 60_000; i++)
        {
            for (int at = 0; at < lengthBytes; at++)
            {
                path[at] = (byte)(at % (nameBytes + 1) == 0 ? '/' : 'a' + random.Next(2));
            }

            if (!budget.TryTake(path))
            {
                break;
            }

            taken += lengthBytes;
        }

        Assert.InRange(taken, 1L << 20, 128L << 20);
        Assert.True(budget.TryTake("/a short path"u8));
    }

    [Theory]
    [InlineData(200, 200)]
    [InlineData(201, 201)]
    [InlineData(40_000, 201)]
    public void A_refusal_names_the_path_and_cuts_only_a_long_one(int lengthChars, int shownChars)
    {
        string reported = PathBudget.Refusal(Encoding.UTF8.GetBytes(new string('p', lengthChars))).Path;
        Assert.Equal((shownChars, lengthChars > 200), (reported.Length, reported.EndsWith('…')));
    }
}
