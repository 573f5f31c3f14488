using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>A plan as a file.</summary>
/// <param name="shards">The number of shards.</param>
internal sealed class PlanFileOptions(Option<int?> shards) : OptionGroup
{
    private readonly Option<string?> save = Declare.Text("--save", "FILE", null, "Write the plan to this file, which must not exist yet");

    private readonly Option<bool> show = Declare.Flag("--show", "Print the plan in a file, and the state of its shards; give the file instead of a backup");

    public override string Title => "Plan";

    public override IReadOnlyList<Option> Options => [save, shards, show];

    public bool Shows(CommandLine line) => line.Value(show);

    /// <exception cref="UsageException">The file is missing, or cannot be written.</exception>
    public string FileOf(CommandLine line)
    {
        var file = line.Value(save) ?? throw new UsageException("--save is missing: the file to write the plan to");
        OutputFile.Check("--save", file);
        return File.Exists(file) ? throw new RestoreException(RestoreErrorCode.OutputExists, "The file exists already", file) : file;
    }

    public int? CountOf(CommandLine line) => line.Value(shards);
}
