using Restore.Cli.Options;
using Restore.Cli.Options.Groups;

namespace Restore.Cli.Commands;

/// <summary>A command with the parsed command line.</summary>
/// <param name="Command">The command.</param>
/// <param name="Line">Values of its options, and its operands.</param>
/// <param name="WithoutEffect">Given options that have no effect here.</param>
/// <param name="Errors">Errors of the command line.</param>
internal sealed record ParsedCommand(ICliCommand Command, CommandLine Line, IReadOnlyList<string> WithoutEffect, IReadOnlyList<string> Errors)
{
    private bool TakesBackup => Command.Operands.Contains(Operand.Storage);

    /// <summary>Reads the job of Duplicati that the command line names, if it names one.</summary>
    /// <exception cref="UsageException">The options contradict each other.</exception>
    /// <exception cref="RestoreException">There is no such job, or it cannot be read.</exception>
    public async Task<ParsedCommand> WithJobAsync()
    {
        var access = Command.Options.OfType<AccessOptions>().FirstOrDefault();
        return TakesBackup && access is not null ? this with { Line = Line with { Job = await access.Job.ReadAsync(Line) } } : this;
    }

    /// <summary>The values in the library's types.</summary>
    /// <exception cref="UsageException">Options contradict each other, or something is missing.</exception>
    /// <exception cref="RestoreException">A filter cannot be used.</exception>
    public HostRequest ToRequest()
    {
        var location = Line.Job is null ? null : JobLocation.Of(Line.Job, Line.StoreOptions.Keys);
        if (TakesBackup && location is null && Line.Operands.Count == 0)
        {
            throw new UsageException("The location of the backup is missing: a folder or a storage URL");
        }

        var request = new HostRequest
        {
            Storage = location ?? (TakesBackup ? Line.Operands[0] : ""),
            Operands = [.. Line.Operands.Skip(TakesBackup && location is null ? 1 : 0)],
        };
        return Command.Options.Aggregate(request, (sum, group) => group.Apply(sum, Line));
    }
}
