namespace Restore.Ends;

/// <summary>
/// Collects the reasons why metadata of an entry could not be applied. Allocates nothing until
/// there is one.
/// </summary>
internal struct UnappliedMetadata
{
    private const string UnknownAccount = "This system does not know an account of its access rules";

    private List<string>? sentences;

    public static IssueCode CodeOf(string sentence) =>
        sentence.StartsWith(UnknownAccount, StringComparison.Ordinal) ? IssueCode.AccountUnknown : IssueCode.None;

    public void AddUnknownAccount(string account) => Add(UnknownAccount, account);

    public void Add(string what, string reason) => (sentences ??= []).Add($"{what}: {reason}");

    public readonly IReadOnlyList<string> ToList() => sentences is null ? [] : sentences;
}
