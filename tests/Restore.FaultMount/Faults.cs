namespace Restore.FaultMount;

/// <summary>Counts the calls, and says which of them fail. Safe for concurrent use.</summary>
internal sealed class Faults
{
    /// <summary>In the place of an error number: no answer.</summary>
    public const int Hang = -1;

    private readonly Lock gate = new();
    private readonly SortedDictionary<string, int> counts = new(StringComparer.Ordinal);
    private (string Call, int First, int Error, int Times)? armed;
    private int failed;
    private int since;

    /// <summary>Calls of one kind ("any" for every kind) fail, counted from now on.</summary>
    public void Arm(string call, int first, int error, int times)
    {
        lock (gate)
        {
            counts.Remove(call);
            since = 0;
            armed = (call, first, error, times);
        }
    }

    public void Reset()
    {
        lock (gate)
        {
            counts.Clear();
            (armed, failed) = (null, 0);
        }
    }

    /// <summary>Counts a call.</summary>
    /// <returns>The error number that it fails with; 0 if it does not fail, <see cref="Hang"/> if
    /// it gets no answer.</returns>
    public int Next(string call)
    {
        lock (gate)
        {
            int number = counts[call] = counts.GetValueOrDefault(call) + 1;
            bool isAny = armed?.Call == "any";
            number = isAny ? ++since : number;
            if (
                armed is not { } fault
                || (fault.Call != call && !isAny)
                || number < fault.First
                || number - fault.First >= fault.Times
            )
            {
                return 0;
            }

            failed++;
            return fault.Error;
        }
    }

    public string Counts()
    {
        lock (gate)
        {
            return string.Join(' ', counts.Select(count => $"{count.Key}={count.Value}").Prepend($"failed={failed}"));
        }
    }
}
