using Restore.Encryption;

namespace Restore.Tests.Encryption;

/// <summary>What volumes that the passphrase does not open may cost.</summary>
public sealed class KeyBudgetTests
{
    private const int Most = 5_000_000;

    private int derived;

    [Fact]
    public async Task Of_volumes_that_ask_for_unusually_much_one_is_tried_in_vain()
    {
        KeyBudget budget = new(Most);
        foreach (int _ in Enumerable.Range(0, 12))
        {
            await FailAsync(budget, Most, isFileList: false);
        }

        Assert.Equal(1, derived);
    }

    [Fact]
    public async Task Volumes_as_usual_are_tried_until_the_limit_of_the_run()
    {
        KeyBudget budget = new(Most);
        foreach (int _ in Enumerable.Range(0, 100))
        {
            await FailAsync(budget, 300_000, isFileList: false);
        }

        Assert.Equal(2 * Most / 300_000, derived);
    }

    [Fact]
    public async Task A_file_list_is_tried_after_a_volume_that_was_planted()
    {
        KeyBudget budget = new(Most);
        await FailAsync(budget, Most, isFileList: false);
        await FailAsync(budget, Most, isFileList: true);

        Assert.Equal(2, derived);
    }

    [Fact]
    public async Task What_a_volume_asks_for_that_the_passphrase_opens_is_usual()
    {
        KeyBudget budget = new(Most);
        await FailAsync(budget, 1_000_000, isFileList: false);
        using AesCryptSession opened = await budget.OpenAsync(
            2_000_000,
            isFileList: true,
            OpenAsync,
            TestContext.Current.CancellationToken
        );
        await FailAsync(budget, 2_000_000, isFileList: false);
        await FailAsync(budget, 3_000_000, isFileList: false);

        Assert.Equal(2, derived);
    }

    private async Task FailAsync(KeyBudget budget, int iterations, bool isFileList)
    {
        Exception failure = await Assert.ThrowsAnyAsync<Exception>(async () =>
            await budget.OpenAsync(
                iterations,
                isFileList,
                () =>
                {
                    derived++;
                    throw new PassphraseException("no");
                },
                TestContext.Current.CancellationToken
            )
        );
        Assert.True(failure is PassphraseException or InvalidDataException);
    }

    private static ValueTask<AesCryptSession> OpenAsync() =>
        AesCryptSession.OpenAsync(
            File.ReadAllBytes(Path.Combine(Fixtures.Folder("aes-samples"), "v3-16.aes")),
            "correct horse",
            new KeyBudget(Most),
            TestContext.Current.CancellationToken
        );
}
