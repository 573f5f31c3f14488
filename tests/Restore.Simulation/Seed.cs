using Restore.Simulation.Ports;
using Restore.Simulation.Scheduling;

namespace Restore.Simulation;

/// <summary>What a seed did.</summary>
/// <param name="Trace">A hash of all its choices.</param>
/// <param name="Steps">Steps of the scheduler.</param>
/// <param name="Ended">How the operation ended.</param>
internal sealed record SeedResult(ulong Trace, int Steps, string Ended);

/// <summary>Runs one seed on a thread of its own; a step that does not end fails it.</summary>
internal static class Seed
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    /// <exception cref="SimulationException">Something that must hold does not.</exception>
    public static SeedResult Run(int seed)
    {
        SeedResult? result = null;
        Exception? failure = null;
        Scenario? scenario = null;
        Thread thread = new(() =>
        {
            try
            {
                result = Simulate(seed, made => scenario = made);
            }
            catch (Exception thrown)
            {
                failure = thrown;
            }
        })
        {
            IsBackground = true,
            Name = $"seed {seed}",
        };
        thread.Start();

        // On a loaded machine a seed may take long; the number of its steps is limited, and a step
        // takes no time.
        int before = -1;
        while (!thread.Join(Patience))
        {
            int step = scenario?.Scheduler.Steps ?? 0;
            if (step == before)
            {
                failure = new SimulationException($"Step {step} has not ended in {Patience.TotalSeconds} s");
                break;
            }

            before = step;
        }

        return failure is null
            ? result!
            : throw new SimulationException(
                $"({scenario?.Operation}, {scenario?.Scheduler.Steps} steps): {(failure is SimulationException ? failure.Message : failure)}\n"
                    + $"Run it alone: RESTORE_FIRST_SEED={seed} RESTORE_SEEDS=1\n"
                    + $"Happened: {string.Join("; ", scenario?.Faults.Happened.Distinct() ?? [])}\n"
                    + $"Ended: {scenario?.Ending.Failure?.ToString() ?? "with a report"}\n"
                    + string.Join("\n", scenario?.Ending.Restored?.Issues.Select(issue => issue.ToString()) ?? [])
            );
    }

    private static SeedResult Simulate(int seed, Action<Scenario> show)
    {
        MadeVolumes volumes = MadeVolumes.Of(seed);
        using SimulatedFolder folder = new(seed, volumes);
        Scenario scenario = Scenario.Of(seed, Faults.Of(seed), folder);
        show(scenario);
        scenario.Run();
        new Judge(scenario).Decide();
        return new SeedResult(scenario.Scheduler.Trace, scenario.Scheduler.Steps, Describe(scenario));
    }

    private static string Describe(Scenario scenario) =>
        $"{scenario.Operation}: "
        + scenario.Ending switch
        {
            { Failure: { } failure } => failure is RestoreException known ? known.Code : failure.GetType().Name,
            { Restored: { } report } => report.IsComplete ? "complete" : "losses",
            { Exported: { } report } => report.IsComplete ? "complete" : "losses",
            _ => "read",
        };
}
