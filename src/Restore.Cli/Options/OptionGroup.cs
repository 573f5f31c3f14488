using System.CommandLine;

namespace Restore.Cli.Options;

/// <summary>
/// Options that belong together, declared once and used by every command that takes them. Neighbours with the same title are one section of the help.
/// </summary>
internal abstract class OptionGroup
{
    public abstract string Title { get; }

    public abstract IReadOnlyList<Option> Options { get; }

    /// <summary>Adds what the options say to the request. The values of options that only one command takes can stay on the command line for it.</summary>
    /// <exception cref="UsageException">The options contradict each other.</exception>
    public virtual HostRequest Apply(HostRequest request, CommandLine line) => request;
}
