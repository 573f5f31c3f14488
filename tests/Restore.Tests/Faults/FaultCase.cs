using System.Globalization;

namespace Restore.Tests.Faults;

/// <summary>One fault: the n-th call of a kind fails, once or forever.</summary>
internal sealed record FaultCase(string Call, int Number, int Error, bool IsForEver)
{
    /// <summary>Names of the errors, and their numbers on Linux.</summary>
    private static readonly (string Name, int Number)[] Errors =
    [
        ("ENOSPC", 28),
        ("EIO", 5),
        ("EDQUOT", 122),
        ("EROFS", 30),
        ("EACCES", 13),
        ("EMFILE", 24),
        ("ENAMETOOLONG", 36),
    ];

    // The kernel drops what a release says.
    private static readonly string[] WithoutAnswer = ["failed", "release", "releasedir"];

    private static readonly string[] Calls =
    [
        "create",
        "fallocate",
        "flush",
        "fsync",
        "getattr",
        "getxattr",
        "link",
        "listxattr",
        "lookup",
        "mkdir",
        "open",
        "opendir",
        "read",
        "readdir",
        "removexattr",
        "rename",
        "setattr",
        "setxattr",
        "statfs",
        "symlink",
        "syncfs",
        "unlink",
        "write",
    ];

    /// <summary>
    /// A fault at random: how many calls a run makes differs from run to run, and the same seed
    /// must give the same fault.
    /// </summary>
    public static FaultCase Any(Random random)
    {
        string call = Calls[random.Next(Calls.Length)];
        int number = random.Next(1, 1 << random.Next(1, 10));
        return new FaultCase(call, number, Errors[random.Next(Errors.Length)].Number, IsForEver: random.Next(2) == 0);
    }

    /// <summary>
    /// Every call of a run, with the errors taking turns; all errors for each call if
    /// <paramref name="withAllErrors"/>.
    /// </summary>
    public static IEnumerable<FaultCase> Of(IReadOnlyDictionary<string, int> counts, bool withAllErrors) =>
        from count in counts
        where !WithoutAnswer.Contains(count.Key)
        from number in Enumerable.Range(1, count.Value)
        from turn in Enumerable.Range(0, withAllErrors ? Errors.Length : 1)
        from isForEver in new[] { false, true }
        select new FaultCase(
            count.Key,
            number,
            Errors[(number + turn + (isForEver ? 1 : 0)) % Errors.Length].Number,
            isForEver
        );

    public override string ToString()
    {
        string name = Errors.Single(error => error.Number == Error).Name;
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{Call} {Number} {name} {(IsForEver ? "for-ever" : "once")}"
        );
    }
}
