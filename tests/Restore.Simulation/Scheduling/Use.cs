using Restore.Simulation.Scheduling;

namespace Restore;

/// <summary>
/// Who uses something now that one thread may change while no other uses it. A use begins with a
/// cut, so threads that nothing keeps apart meet.
/// </summary>
internal struct Use
{
    private int users;
    private bool isChange;

    /// <summary>Begins a look at the thing; it ends with the disposal.</summary>
    public static Turn Look(ref Use use, object thing) =>
        use.Begin(thing, changes: false) ? new Turn(ref use) : default;

    /// <summary>Begins a change of the thing; it ends with the disposal.</summary>
    public static Turn Change(ref Use use, object thing) =>
        use.Begin(thing, changes: true) ? new Turn(ref use) : default;

    private bool Begin(object thing, bool changes)
    {
        if (Scheduler.Running is not { } scheduler)
        {
            return false;
        }

        if (users > 0 && (changes || isChange))
        {
            scheduler.Found(
                $"A data race: one thread changes a {thing.GetType()} while another uses it\n{Environment.StackTrace}"
            );
        }

        users++;
        isChange |= changes;
        scheduler.Cut(isLikely: changes);
        return true;
    }

    private void End()
    {
        users--;
        isChange &= users > 0;
    }

    internal readonly ref struct Turn(ref Use use)
    {
        private readonly ref Use use = ref use;
        private readonly bool isTaken = true;

        public void Dispose()
        {
            if (isTaken)
            {
                use.End();
            }
        }
    }
}
