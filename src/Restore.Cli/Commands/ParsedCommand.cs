using Restore.Cli.Options;

namespace Restore.Cli.Commands;

/// <summary>A command with the parsed command line.</summary>
/// <param name="Command">The command.</param>
/// <param name="Line">Values of its options, and its operands.</param>
/// <param name="WithoutEffect">Given options that have no effect here.</param>
/// <param name="Errors">Errors of the command line.</param>
internal sealed record ParsedCommand(ICliCommand Command, CommandLine Line, IReadOnlyList<string> WithoutEffect, IReadOnlyList<string> Errors)
{
    /// <summary>The values in the library's types.</summary>
    /// <exception cref="UsageException">Options contradict each other, or something is missing.</exception>
    /// <exception cref="RestoreException">A filter cannot be used.</exception>
    public HostRequest ToRequest()
    {
        var takesBackup = Command.Operands.Contains(Operand.Storage);
        if (takesBackup && Line.Operands.Count == 0)
        {
            throw new UsageException("The location of the backup is missing: a folder or a storage URL");
        }

        var request = new HostRequest
        {
            Storage = takesBackup ? Line.Operands[0] : "",
            Operands = [.. Line.Operands.Skip(takesBackup ? 1 : 0)],
        };
        return Command.Options.Aggregate(request, (sum, group) => group.Apply(sum, Line));
    }
}
