using Restore.Tests.FixtureTests;
using Restore.Tests.Support;

namespace Restore.Tests.Planning;

/// <summary>What is written of a plan: nothing secret, and nothing that is believed when it is damaged.</summary>
public sealed class PlanFileTests : IDisposable
{
    private readonly TempFolder folder = new();

    [Fact]
    public async Task A_plan_that_is_cut_off_or_changed_anywhere_is_refused()
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf("plain-1mb").Single();
        byte[] saved = Save(await PlanAsync(backup, "target"));
        Random random = new(1);
        for (int i = 0; i < 200; i++)
        {
            byte[] damaged = i % 2 == 0 ? saved[..random.Next(saved.Length)] : [.. saved];
            if (i % 2 == 1)
            {
                damaged[random.Next(damaged.Length)] ^= (byte)(1 << random.Next(8));
            }

            RestoreException refusal = Assert.Throws<RestoreException>(() => RestorePlan.Load(new MemoryStream(damaged)));
            Assert.Equal(RestoreErrorCode.PlanDamaged, refusal.Code);
            Assert.StartsWith("The plan cannot be read: ", refusal.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_plan_holds_no_passphrase()
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf("aes-100kb").Single();
        string text = System.Text.Encoding.Latin1.GetString(Save(await PlanAsync(backup, "target")));
        Assert.DoesNotContain(backup.Options().Passphrase!, text, StringComparison.Ordinal);
    }

    public void Dispose() => folder.Dispose();

    private static byte[] Save(RestorePlan plan)
    {
        using MemoryStream stream = new();
        plan.Save(stream);
        return stream.ToArray();
    }

    private async Task<RestorePlan> PlanAsync(FixtureBackup fixture, string target)
    {
        await using Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options());
        return await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = Path.Combine(folder.Path, target) });
    }
}
