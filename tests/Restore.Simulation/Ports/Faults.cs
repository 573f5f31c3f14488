namespace Restore.Simulation.Ports;

/// <summary>What goes wrong in one run, chosen by the seed.</summary>
/// <param name="Random">The chance of the scenario, apart from that of the scheduler.</param>
internal sealed record Faults(Random Random)
{
    /// <summary>The share of reads of the store that fail and would succeed later.</summary>
    public double Transient { get; init; }

    /// <summary>
    /// The share of reads that show that a file is lost: it vanished, is refused, cut or changed.
    /// </summary>
    public double Lost { get; init; }

    /// <summary>The number of reads after which the store no longer answers.</summary>
    public int GoneAfter { get; init; } = int.MaxValue;

    /// <summary>The share of calls of the target that fail.</summary>
    public double Target { get; init; }

    /// <summary>The number of writes after which the target is full.</summary>
    public int FullAfter { get; init; } = int.MaxValue;

    /// <summary>The share of entries that the sink refuses.</summary>
    public double Sink { get; init; }

    /// <summary>The step at which the user cancels.</summary>
    public int CancelAt { get; init; } = int.MaxValue;

    /// <summary>The step at which the user asks for a graceful stop.</summary>
    public int StopAt { get; init; } = int.MaxValue;

    /// <summary>What happened so far: it explains what the run reports.</summary>
    public List<string> Happened { get; } = [];

    /// <summary>Whether something happened that an operation need not survive whole.</summary>
    public bool Matters { get; private set; }

    /// <summary>Whether a call of the target failed: what it left there may stay.</summary>
    public bool TargetFailed { get; private set; }

    public static Faults None => new(new Random(0));

    public static Faults Of(int seed)
    {
        Random random = new(seed ^ 0x5EED);
        return new Faults(random)
        {
            Transient = Rarely(3, 0.15),
            Lost = Rarely(4, 0.05),
            GoneAfter = Once(12, 60),
            Target = Rarely(5, 0.03),
            FullAfter = Once(12, 60),
            Sink = Rarely(8, 0.1),
            CancelAt = Once(6, 1200),
            StopAt = Once(8, 1200),
        };

        double Rarely(int times, double share) => random.Next(times) == 0 ? random.NextDouble() * share : 0;

        int Once(int times, int most) => random.Next(times) == 0 ? random.Next(most) : int.MaxValue;
    }

    public bool Comes(double share) => share > 0 && Random.NextDouble() < share;

    public void Harmless(string what) => Happened.Add(what);

    public void Harm(string what, bool atTarget = false)
    {
        Happened.Add(what);
        Matters = true;
        TargetFailed |= atTarget;
    }
}
