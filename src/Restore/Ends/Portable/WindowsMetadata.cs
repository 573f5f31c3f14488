using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;

namespace Restore.Ends.Portable;

/// <summary>Attributes and access rules, which only Windows has.</summary>
[SupportedOSPlatform("windows")]
internal static class WindowsMetadata
{
    private const FileAttributes Settable = FileAttributes.ReadOnly | FileAttributes.Hidden | FileAttributes.System | FileAttributes.Archive
        | FileAttributes.NotContentIndexed | FileAttributes.Temporary | FileAttributes.Offline;

    public static void Apply(string fullPath, TargetKind kind, EntryMetadata metadata, bool withPermissions, ref UnappliedMetadata shortfalls)
    {
        if (!withPermissions || kind == TargetKind.Symlink || metadata.WindowsAccessRules is not { } rules)
        {
            return;
        }

        try
        {
            SetRules(fullPath, kind, ParseRules(rules), metadata.WindowsAccessRulesProtected);
        }
        catch (Exception exception) when (IsUnusable(exception) || PortableFailure.IsExpected(exception))
        {
            shortfalls.Add("The access rules could not be set", PortableFailure.Reason(exception));
        }
    }

    public static void SetAttributes(string fullPath, TargetKind kind, EntryMetadata metadata, ref UnappliedMetadata shortfalls)
    {
        if (kind != TargetKind.Symlink && metadata.Attributes is { } attributes)
        {
            PortableMetadata.Try(() => File.SetAttributes(fullPath, attributes & Settable), "The attributes could not be set", ref shortfalls);
        }
    }

    /// <summary>The exceptions that the parser throws for unsound rules.</summary>
    private static bool IsUnusable(Exception exception) => exception is JsonException or InvalidOperationException or KeyNotFoundException or FormatException;

    private static List<FileSystemAccessRule> ParseRules(string json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        var rules = new List<FileSystemAccessRule>();
        foreach (JsonElement rule in document.RootElement.EnumerateArray())
        {
            if (rule.TryGetProperty("Inherited", out JsonElement inherited) && inherited.ValueKind == JsonValueKind.True)
            {
                continue;
            }

            rules.Add(new FileSystemAccessRule(
                new SecurityIdentifier(rule.GetProperty("SID").GetString() ?? ""),
                (FileSystemRights)rule.GetProperty("Rights").GetInt32(),
                (InheritanceFlags)rule.GetProperty("Inheritance").GetInt32(),
                (PropagationFlags)rule.GetProperty("Propagation").GetInt32(),
                (AccessControlType)rule.GetProperty("ControlType").GetInt32()));
        }

        return rules;
    }

    private static void SetRules(string fullPath, TargetKind kind, List<FileSystemAccessRule> rules, bool areProtected)
    {
        FileSystemSecurity security = kind == TargetKind.Folder
            ? new DirectoryInfo(fullPath).GetAccessControl(AccessControlSections.Access)
            : new FileInfo(fullPath).GetAccessControl(AccessControlSections.Access);
        security.SetAccessRuleProtection(areProtected, preserveInheritance: false);
        foreach (FileSystemAccessRule old in security.GetAccessRules(includeExplicit: true, includeInherited: false, typeof(SecurityIdentifier)))
        {
            security.RemoveAccessRuleSpecific(old);
        }

        rules.ForEach(security.AddAccessRule);
        if (security is DirectorySecurity folder)
        {
            new DirectoryInfo(fullPath).SetAccessControl(folder);
        }
        else
        {
            new FileInfo(fullPath).SetAccessControl((FileSecurity)security);
        }
    }
}
