namespace Restore.Assessment;

/// <summary>
/// All rules, with their sentences. The numbers are measured with the generator of histories: see
/// the page about the last good version.
/// </summary>
internal static class Rules
{
    private const int GroupsOfKept = 3;
    private const int MostChangesForLoss = 5;
    private const double LeastShareOfLoss = 0.015;
    private const Signs Cut = Signs.Emptied | Signs.Alike | Signs.Shrunk | Signs.Shorter;
    private const Signs AfterEncryption = Signs.AnyChange | Signs.Note;

    public static readonly IReadOnlyList<Rule> All =
    [
        new(Signs.NewExtension, 0.005, 5, Signs.NewExtension | Signs.Replacement | Signs.Note)
        {
            Text = seen =>
                $"{Of(seen, Signs.NewExtension)} have a new file {seen.Details[Signs.NewExtension]} and other content "
                + "in their place or beside them, as malware that encrypts makes",
        },
        new(Signs.RandomName, 0.02, 7, Signs.RandomName | Signs.Replacement | Signs.AnyLoss | Signs.Note)
        {
            IsExcusedByHabit = true,
            Text = seen =>
                $"{Of(seen, Signs.RandomName)} are replaced by files with unknown names and nearly the same size, as malware that encrypts does",
        },
        new(Signs.SameGrowth, 0.015, 8, AfterEncryption)
        {
            MostOthers = 0.5,
            MostOthersIfExact = 1,
            IsExcusedByHabit = true,
            IsExcusedByOneKind = true,
            Text = seen =>
                $"{Of(seen, Signs.SameGrowth)} have new content and {seen.Details[Signs.SameGrowth]}, as after encryption",
        },
        new(Signs.SmallGrowth, 0.02, 10, AfterEncryption)
        {
            MostOthers = 0.2,
            IsExcusedByHabit = true,
            IsExcusedByOneKind = true,
            If = seen => seen.GrowthIsConstant,
            Text = seen =>
                $"{Of(seen, Signs.SmallGrowth)} have new content and grew by at most {Growth.MostSmall:N0} bytes, small and large ones alike, "
                + "as after encryption",
        },
        new(Signs.Note, 0, 3, AfterEncryption | Signs.AnyLoss)
        {
            Core = AfterEncryption | Signs.AnyLoss,
            If = seen => seen.NoteFollowsHarm,
            Text = seen =>
                $"The same new file {seen.Details[Signs.Note]} is in {seen[Signs.Note]:N0} folders, in each of which files have new content or "
                + "are gone, and hardly any in other folders",
        },
        new(Signs.KeptType, 0.03, 20, AfterEncryption)
        {
            IsExcusedByOneKind = true,
            If = seen => seen.KeptGroupsHit >= GroupsOfKept,
            Text = seen =>
                $"{Of(seen, Signs.KeptType)} have new content although pictures, films, music and documents rarely change together",
        },
        new(Signs.Emptied, 0.01, 5, Cut) { Text = seen => $"{Of(seen, Signs.Emptied)} are empty now" },
        new(Signs.Alike, 0.01, 5, Cut)
        {
            IsExcusedByHabit = true,
            Text = seen => $"{Of(seen, Signs.Alike)} have one content or one size now, as placeholders of a cloud have",
        },
        new(Signs.Shrunk, 0.025, 7, Cut)
        {
            MostOthers = 0.33,
            IsExcusedByHabit = true,
            IsExcusedByOneKind = true,
            Text = seen => $"{Of(seen, Signs.Shrunk)} are shorter by a tenth or more, as after a truncation",
        },
        new(Signs.ConflictCopy, 0.02, 8, Signs.ConflictCopy)
        {
            Text = seen =>
                $"{Units(seen[Signs.ConflictCopy], "new file has", "new files have")} a name as of a copy from a conflict of synchronization",
        },
        new(Signs.Vanished, 0.025, 7, Signs.Vanished | Signs.AnyLoss)
        {
            IsExcusedByHabit = true,

            // A new version of a system drops files too, but it changes many more.
            // What programs make is not counted, and may be most of the files.
            If = seen =>
                seen[Signs.AnyChange] < MostChangesForLoss * seen[Signs.Vanished]
                && seen[Signs.Vanished] >= LeastShareOfLoss * seen.FilesBefore,
            Text = seen =>
                $"{Of(seen, Signs.Vanished)} are gone, and neither their content nor their names are elsewhere"
                + (
                    seen.Details.GetValueOrDefault(Signs.Vanished) is { Length: > 0 } where
                        ? $"; all were in {where}"
                        : ""
                ),
        },
        new(Signs.OneTime, 0.1, 20, Signs.OneTime)
        {
            Text = seen =>
                $"{Of(seen, Signs.OneTime)} have the same content, but all have the time {seen.Details[Signs.OneTime]} now",
        },
    ];

    public static string Units(long count, string one, string many) => count == 1 ? $"1 {one}" : $"{count:N0} {many}";

    private static string Of(Transition seen, Signs sign) => $"{seen[sign]:N0} of {seen.FilesBefore:N0} files";
}
