using System.Reflection;
using System.Runtime;
using System.Runtime.InteropServices;

namespace Restore.Cli.Help;

/// <summary>Prints the version of the program.</summary>
internal sealed class VersionAction : AnswerAction
{
    public const string OptionName = "--program-version";

    /// <summary>
    /// Version, commit and build: <c>1.2.0 (commit 1a2b..., linux-x64, native code)</c>.
    /// </summary>
    public static string ProgramVersion()
    {
        var parts = typeof(VersionAction)
            .Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!
            .InformationalVersion.Split('+');
        var commit = parts.Length > 1 ? $"commit {parts[1]}, " : "";
        var code = JitInfo.GetCompiledMethodCount() > 0 ? $".NET {Environment.Version}" : "native code";
        return $"{parts[0]} ({commit}{RuntimeInformation.RuntimeIdentifier}, {code})";
    }

    protected override void Answer(ParseResult result, HostInvocation invocation) =>
        invocation.Output.WriteLine($"restore {ProgramVersion()}");
}
