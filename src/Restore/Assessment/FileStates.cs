namespace Restore.Assessment;

/// <summary>
/// Follows each file through the versions, from the oldest to the newest: until when it was good,
/// and whether it is now.
/// </summary>
internal sealed class FileStates(int rows)
{
    private const int None = -1;
    private const int Doubt = -1;

    private readonly int[] goodSince = Filled(rows);
    private readonly int[] goodTo = Filled(rows);

    // The number of the alarm plus one; 0 for a good file, and another for one that is doubtful without an
    // alarm.
    private readonly int[] alarmOf = new int[rows];
    private readonly bool[] isPresent = new bool[rows];
    private readonly bool[] isCore = new bool[rows];

    // Contents that came with an alarm, with its number: under another name they are suspect too.
    private readonly Dictionary<ulong, int> badContents = [];
    private readonly List<Alarm> alarms = [];

    /// <summary>The alarms that made files suspect, oldest first.</summary>
    public IReadOnlyList<Alarm> Alarms => alarms;

    /// <summary>Files that became doubtful in the version that was applied last.</summary>
    public int Doubtful { get; private set; }

    public bool IsSuspect(int row) => alarmOf[row] != 0;

    public bool IsPresent(int row) => isPresent[row];

    /// <summary>
    /// The first version that has the last good content of a file; -1 if no version has.
    /// </summary>
    public int GoodSince(int row) => goodSince[row];

    /// <summary>
    /// Of a suspect file the last version before it became suspect; -1 if it never was good.
    /// </summary>
    public int GoodTo(int row) => goodTo[row];

    public void Apply(in FileEvent happened, int version, Alarm? alarm)
    {
        int row = happened.Row;
        bool isGone = happened.Kind is EventKind.Removed or EventKind.MovedAway;
        isPresent[row] = !isGone;
        if (alarm?.IsHit(happened) == true)
        {
            if (!alarms.Contains(alarm))
            {
                alarms.Add(alarm);
            }

            MakeSuspect(row, version, alarm, (happened.Signs & alarm.Core) != 0);
            if (!isGone && happened.Content != 0 && happened.Kind != EventKind.Touched)
            {
                badContents.TryAdd(happened.Content, alarms.IndexOf(alarm));
            }
        }
        else if (!isGone && happened.Content != 0 && badContents.TryGetValue(happened.Content, out int older))
        {
            MakeSuspect(row, version, alarms[older], isOfCore: true);
        }
        else if (happened.IsDoubtful)
        {
            MakeDoubtful(row, version);
        }
        else if (!IsSuspect(row) || !isGone || goodTo[row] == None)
        {
            MakeGood(row);
            goodSince[row] = isGone ? None : version;
        }
    }

    /// <summary>Begins with a version.</summary>
    public void Begin() => Doubtful = 0;

    private void MakeDoubtful(int row, int version)
    {
        if (!IsSuspect(row))
        {
            goodTo[row] = goodSince[row] == None ? None : version - 1;
            alarmOf[row] = Doubt;
            Doubtful++;
        }
    }

    private void MakeSuspect(int row, int version, Alarm alarm, bool isOfCore)
    {
        if (IsSuspect(row))
        {
            return;
        }

        goodTo[row] = goodSince[row] == None ? None : version - 1;
        alarmOf[row] = alarms.IndexOf(alarm) + 1;
        alarm.Files++;
        alarm.FilesLeft++;
        isCore[row] = isOfCore;
        alarm.CoreFiles += isOfCore ? 1 : 0;
        alarm.CoreLeft += isOfCore ? 1 : 0;
    }

    private void MakeGood(int row)
    {
        if (alarmOf[row] > 0)
        {
            Alarm alarm = alarms[alarmOf[row] - 1];
            alarm.FilesLeft--;
            alarm.CoreLeft -= isCore[row] ? 1 : 0;
        }

        alarmOf[row] = 0;
    }

    private static int[] Filled(int length)
    {
        int[] filled = new int[length];
        Array.Fill(filled, None);
        return filled;
    }
}
