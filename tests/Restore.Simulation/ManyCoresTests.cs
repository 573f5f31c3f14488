using System.Globalization;
using Restore.Simulation.Scheduling;

namespace Restore.Simulation;

/// <summary>
/// The network with 2 to 64 copies of each process, on as many virtual processors. Each way
/// restores everything; the table says what limits. Larger backups by hand: docs/testing.md.
/// </summary>
public sealed class ManyCoresTests(ITestOutputHelper output)
{
    private static readonly int[] Cores = [2, 4, 8, 16, 32, 64];

    [Theory]
    [InlineData(8 << 10, 0)]
    [InlineData(8 << 10, 20)]
    [InlineData(4 << 20, 0)]
    public void Everything_is_restored_with_2_to_64_copies_of_each_process(int fileBytes, int latencyMilliseconds)
    {
        int bytes = (Number("RESTORE_MODEL_MB") ?? 16) << 20;
        MadeVolumes volumes = new(bytes / fileBytes, fileBytes, blockBytes: 100 << 10, volumeBytes: bytes / 32);
        TimeSpan latency = TimeSpan.FromMilliseconds(latencyMilliseconds);
        _ = CoresModel.Of(2, volumes, latency); // Compiles the engine.
        _ = CoresModel.Of(2, volumes, latency);

        CoresModel[] models = [.. Cores.Select(cores => CoresModel.Of(cores, volumes, latency))];

        output.WriteLine(CoresModel.Table(models));
        Assert.All(models, model => Assert.True(model.Busy <= model.Elapsed * model.Cores));
        Assert.All(models, model => Assert.Contains(model.Profile, row => row.Copies == model.Cores));
    }

    [Fact]
    public void Two_processors_do_two_independent_steps_at_the_same_time_and_one_does_not()
    {
        _ = Elapsed(2); // Compiles what is measured.
        Assert.InRange(Elapsed(1) / Elapsed(2), 1.5, 2.5);

        static TimeSpan Elapsed(int cores)
        {
            VirtualCores processors = new(cores);
            new Scheduler(processors).Run(() =>
                Task.WhenAll(
                    Enumerable
                        .Range(0, 4)
                        .Select(_ =>
                            Simulated.RunAsync(() =>
                            {
                                Work();
                                return Task.CompletedTask;
                            })
                        )
                )
            );
            return new TimeSpan(processors.Ended);
        }
    }

    [Fact]
    public void Steps_that_follow_each_other_are_never_at_the_same_time()
    {
        VirtualCores processors = new(8);
        new Scheduler(processors).Run(async () =>
        {
            for (int i = 0; i < 4; i++)
            {
                Work();
                await Simulated.RunAsync(() => Task.CompletedTask);
            }
        });
        Assert.True(new TimeSpan(processors.Ended) >= TimeSpan.FromMilliseconds(80));
    }

    private static void Work()
    {
        long end = ThreadTime.Ticks + TimeSpan.FromMilliseconds(20).Ticks;
        while (ThreadTime.Ticks < end) { }
    }

    private static int? Number(string variable) =>
        Environment.GetEnvironmentVariable(variable) is { Length: > 0 } text
            ? int.Parse(text, CultureInfo.InvariantCulture)
            : null;
}
