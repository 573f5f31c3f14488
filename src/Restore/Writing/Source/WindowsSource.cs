using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;

namespace Restore.Writing.Source;

/// <summary>
/// Reads what only Windows entries have, in the form in which Duplicati stores it.
/// </summary>
[SupportedOSPlatform("windows")]
internal static class WindowsSource
{
    /// <summary>
    /// The access rules of the entry itself, without the rules that it inherits from its folder.
    /// </summary>
    /// <param name="areProtected">Whether the entry does not inherit the rules of its
    /// folder.</param>
    /// <exception cref="IOException">They cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">The user may not read them.</exception>
    public static string AccessRulesOf(string path, bool isFolder, out bool areProtected)
    {
        FileSystemSecurity security = isFolder
            ? new DirectoryInfo(path).GetAccessControl(AccessControlSections.Access)
            : new FileInfo(path).GetAccessControl(AccessControlSections.Access);
        areProtected = security.AreAccessRulesProtected;
        return Write(
            security
                .GetAccessRules(includeExplicit: true, includeInherited: false, typeof(SecurityIdentifier))
                .Cast<FileSystemAccessRule>()
        );
    }

    /// <summary>Duplicati's JSON, without blanks, so that equal rules have equal hashes.</summary>
    private static string Write(IEnumerable<FileSystemAccessRule> rules)
    {
        ArrayBufferWriter<byte> text = new();
        using Utf8JsonWriter json = new(text);
        json.WriteStartArray();
        foreach (FileSystemAccessRule rule in rules)
        {
            json.WriteStartObject();
            json.WriteNumber("Rights", (int)rule.FileSystemRights);
            json.WriteNumber("ControlType", (int)rule.AccessControlType);
            json.WriteString("SID", rule.IdentityReference.Value);
            json.WriteBoolean("Inherited", rule.IsInherited);
            json.WriteNumber("Inheritance", (int)rule.InheritanceFlags);
            json.WriteNumber("Propagation", (int)rule.PropagationFlags);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.Flush();
        return Encoding.UTF8.GetString(text.WrittenSpan);
    }
}
