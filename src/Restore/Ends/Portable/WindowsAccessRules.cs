using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;

namespace Restore.Ends.Portable;

/// <summary>The access rules of files and folders of Windows, as Duplicati stores them.</summary>
[SupportedOSPlatform("windows")]
internal static class WindowsAccessRules
{
    private const int MaxShownChars = 200;
    private const string NotSet = "The access rules could not be set";

    /// <summary>
    /// Replaces the explicit rules of an entry by the recorded ones. A rule that cannot be used is
    /// left out alone. Rules that are right already stay untouched, because a change of a folder
    /// goes through everything in it.
    /// </summary>
    public static void Apply(
        string fullPath,
        TargetKind kind,
        EntryMetadata metadata,
        HeldFiles held,
        RuleAccounts accounts,
        ref UnappliedMetadata shortfalls
    )
    {
        if (metadata.WindowsAccessRules is not { } json)
        {
            return;
        }

        try
        {
            bool isFolder = kind == TargetKind.Folder;
            FileSystemSecurity security = Read(fullPath, isFolder);
            List<FileSystemAccessRule> wanted = Parse(json, security, isFolder, accounts, ref shortfalls);
            if (wanted.Count == 0 && json.Length > 2 && !IsEmptyList(json))
            {
                // Nothing of them can be used: the rules of the folder are better than none.
                return;
            }

            accounts.Note(wanted, ref shortfalls);
            if (Change(security, wanted, metadata.WindowsAccessRulesProtected))
            {
                held.Retry(() => Write(fullPath, security));
            }
        }
        catch (Exception exception) when (IsUnusable(exception) || PortableFailure.IsExpected(exception))
        {
            shortfalls.Add(NotSet, PortableFailure.Reason(exception));
        }
    }

    /// <summary>
    /// Gives a file the rules of the file that it is going to replace: a user who could not read
    /// the old file must not be able to read the new one.
    /// </summary>
    public static void TakeOver(string from, string to)
    {
        FileSystemSecurity old;
        try
        {
            old = Read(from, isFolder: false);
        }
        catch (Exception exception) when (PortableFailure.IsExpected(exception))
        {
            // Many servers have no rules, and some do not show them.
            return;
        }

        List<FileSystemAccessRule> rules = OwnRulesOf(old);
        if (rules.Count == 0 && !old.AreAccessRulesProtected)
        {
            return;
        }

        FileSystemSecurity security = Read(to, isFolder: false);
        if (Change(security, rules, old.AreAccessRulesProtected))
        {
            Write(to, security);
        }
    }

    private static FileSystemSecurity Read(string fullPath, bool isFolder) =>
        isFolder
            ? new DirectoryInfo(fullPath).GetAccessControl(AccessControlSections.Access)
            : new FileInfo(fullPath).GetAccessControl(AccessControlSections.Access);

    private static void Write(string fullPath, FileSystemSecurity security)
    {
        if (security is DirectorySecurity folder)
        {
            new DirectoryInfo(fullPath).SetAccessControl(folder);
        }
        else
        {
            new FileInfo(fullPath).SetAccessControl((FileSecurity)security);
        }
    }

    /// <summary>The exceptions that the parser throws for unsound rules.</summary>
    private static bool IsUnusable(Exception exception) =>
        exception
            is JsonException
                or InvalidOperationException
                or KeyNotFoundException
                or FormatException
                or OverflowException;

    private static bool IsEmptyList(string json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        return document.RootElement.GetArrayLength() == 0 || document.RootElement.EnumerateArray().All(IsInherited);
    }

    private static List<FileSystemAccessRule> Parse(
        string json,
        FileSystemSecurity security,
        bool isFolder,
        RuleAccounts accounts,
        ref UnappliedMetadata shortfalls
    )
    {
        using JsonDocument document = JsonDocument.Parse(json);
        var rules = new List<FileSystemAccessRule>();
        int unusable = 0;
        string? shown = null;
        foreach (JsonElement element in document.RootElement.EnumerateArray())
        {
            try
            {
                if (!IsInherited(element) && RuleOf(element, security, isFolder, accounts) is { } rule)
                {
                    rules.Add(rule);
                }
            }
            catch (Exception exception) when (IsUnusable(exception) || PortableFailure.IsExpected(exception))
            {
                unusable++;
                shown ??= $"{exception.Reason()} ({Shown(element.GetRawText())})";
            }
        }

        if (shown is not null)
        {
            shortfalls.Add(
                unusable == 1
                    ? "An access rule could not be set"
                    : $"{unusable:N0} access rules could not be set, the first one",
                shown
            );
        }

        return rules;
    }

    private static string Shown(string rule) => rule.Length > MaxShownChars ? rule[..MaxShownChars] + "…" : rule;

    private static bool IsInherited(JsonElement rule) =>
        rule.ValueKind == JsonValueKind.Object
        && rule.TryGetProperty("Inherited", out JsonElement inherited)
        && inherited.ValueKind == JsonValueKind.True;

    /// <summary>
    /// The constructor of a rule refuses rights that Windows has, such as the generic ones of
    /// CREATOR OWNER; its factory takes them.
    /// </summary>
    /// <returns>Null for a rule that gives and denies nothing.</returns>
    private static FileSystemAccessRule? RuleOf(
        JsonElement rule,
        FileSystemSecurity security,
        bool isFolder,
        RuleAccounts accounts
    )
    {
        int rights = rule.GetProperty("Rights").GetInt32();
        string account = rule.GetProperty("SID").GetString() ?? "";
        SecurityIdentifier sid =
            accounts.SidOf(account) ?? throw new FormatException($"'{account}' is no account of this system");
        var inheritance = (InheritanceFlags)rule.GetProperty("Inheritance").GetInt32();
        var propagation = (PropagationFlags)rule.GetProperty("Propagation").GetInt32();
        var type = (AccessControlType)rule.GetProperty("ControlType").GetInt32();
        return rights == 0
            ? null
            : (FileSystemAccessRule)
                security.AccessRuleFactory(
                    sid,
                    rights,
                    isInherited: false,
                    isFolder ? inheritance : InheritanceFlags.None,
                    isFolder ? propagation : PropagationFlags.None,
                    type
                );
    }

    private static List<FileSystemAccessRule> OwnRulesOf(FileSystemSecurity security) =>
        [
            .. security
                .GetAccessRules(includeExplicit: true, includeInherited: false, typeof(SecurityIdentifier))
                .Cast<FileSystemAccessRule>(),
        ];

    /// <returns>Whether anything is different now.</returns>
    private static bool Change(FileSystemSecurity security, List<FileSystemAccessRule> wanted, bool areProtected)
    {
        List<FileSystemAccessRule> present = OwnRulesOf(security);
        if (
            security.AreAccessRulesProtected == areProtected
            && present.Select(KeyOf).ToHashSet().SetEquals(wanted.Select(KeyOf))
        )
        {
            return false;
        }

        security.SetAccessRuleProtection(areProtected, preserveInheritance: false);
        present.ForEach(security.RemoveAccessRuleSpecific);
        wanted.ForEach(security.AddAccessRule);
        return true;
    }

    private static (
        string Account,
        FileSystemRights Rights,
        InheritanceFlags Inheritance,
        PropagationFlags Propagation,
        AccessControlType Type
    ) KeyOf(FileSystemAccessRule rule) =>
        (
            rule.IdentityReference.Value,
            rule.FileSystemRights,
            rule.InheritanceFlags,
            rule.PropagationFlags,
            rule.AccessControlType
        );
}
