using System.Runtime.InteropServices;
using Restore.Cli.Help;

namespace Restore.Cli.Commands;

/// <summary>Looks at what a restore on this machine can use, before it is needed.</summary>
internal sealed class SelfCheckCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "self-check";

    public string Summary => "check what this machine has that a restore needs or can use";

    public IReadOnlyList<Operand> Operands =>
        [new Operand("[folder ...]", "where to look for room, such as a target; else the current folder")];

    public IReadOnlyList<OptionGroup> Options => [shared.Output, shared.Program];

    public IReadOnlyList<string> Examples => ["restore self-check", "restore self-check /mnt/new-disk --json"];

    public async Task<int> RunAsync(CommandContext context)
    {
        var folders = context.Request.Operands is { Count: > 0 } given ? given : [Environment.CurrentDirectory];
        List<CheckedPart> parts =
        [
            new("program", PartState.Ok, $"restore {VersionAction.ProgramVersion()}"),
            new(
                "system",
                PartState.Ok,
                $"{RuntimeInformation.OSDescription}, {Units.Count(Environment.ProcessorCount, "processor")}"
            ),
            MachineParts.Memory(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes),
            MachineParts.Clock(TimeProvider.System, File.GetLastWriteTimeUtc(Environment.ProcessPath!)),
            .. folders.Select(MachineParts.Room),
            .. await MachineParts.ProgramsAsync(context),
            MachineParts.Fuse(),
            .. await SelfTrial.RunAsync(context),
        ];
        context.Write(
            () => new JsonObject { ["parts"] = new JsonArray([.. parts.Select(part => (JsonNode)part.ToJson())]) },
            output =>
                parts.ForEach(part =>
                    output.WriteLine(SafeText.Escape($"{part.Mark, -8} {part.Name, -10} {part.Text}"))
                )
        );
        return parts.Exists(part => part.State == PartState.Wrong) ? ExitCodes.Failed : ExitCodes.Complete;
    }
}
