using Restore.Resume;

namespace Restore.Restoring;

/// <summary>
/// An attempt to restore a part of a split plan. The names of its files at the target contain plan,
/// part and attempt: no part takes the files of another part for its own, and the next attempt of
/// the same part finds what this one left.
/// </summary>
/// <param name="Plan">The first half of the id of the plan.</param>
/// <param name="Shard">The number of the part, from 1 on.</param>
internal sealed record ShardIdentity(uint Plan, int Shard, int Attempt)
{
    // No part has this number: files that several parts write belong to all of them.
    private const int Everyone = 0xFFFF;

    /// <summary>
    /// The last step of a plan. In containers, all processes may have the same number: the attempt
    /// is one by chance.
    /// </summary>
    public static ShardIdentity LastStep(string planId) =>
        Of(planId, shard: 0, RandomNumberGenerator.GetInt32(1 << 16));

    public static ShardIdentity Of(string planId, int shard, int attempt) =>
        new(
            uint.Parse(planId.AsSpan(0, 8), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture),
            shard,
            attempt
        );

    /// <summary>Whether no other process has taken the part over.</summary>
    public Func<bool> IsHeld { get; init; } = static () => true;

    /// <summary>
    /// Called before something is made at the target: throws if another process has taken the part
    /// over.
    /// </summary>
    public Action RequireHeld { get; init; } = static () => { };

    public ulong RunId => IdOf(Shard, Attempt);

    /// <summary>
    /// Whether a record belongs to a part of another plan, or to another restore.
    /// </summary>
    public bool IsOther(string recordName) =>
        !recordName.StartsWith(
            string.Create(CultureInfo.InvariantCulture, $"{RecordNames.Prefix}{Plan:x8}"),
            StringComparison.Ordinal
        );

    /// <summary>Whether a record belongs to another attempt of the same part.</summary>
    public bool Owns(string recordName) =>
        recordName.StartsWith(
            string.Create(CultureInfo.InvariantCulture, $"{RecordNames.Prefix}{Plan:x8}{Shard:x4}"),
            StringComparison.Ordinal
        );

    /// <summary>Where a file that several parts write is until it is verified.</summary>
    public string SharedPath(string path, EntryId entry) =>
        RecordNames.NextTo(path, RecordNames.Partial(IdOf(Everyone, 0), entry));

    // The plan, the part and the attempt in one number. As hexadecimal digits of a name, each has
    // its own place.
    private ulong IdOf(int shard, int attempt) => ((ulong)Plan << 32) | ((ulong)(ushort)shard << 16) | (ushort)attempt;
}
