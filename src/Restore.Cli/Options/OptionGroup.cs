using System.CommandLine;

namespace Restore.Cli.Options;

/// <summary>
/// Options that belong together, declared once and shared by commands. Consecutive groups with the same title form one section of the help.
/// </summary>
internal abstract class OptionGroup
{
    public abstract string Title { get; }

    public abstract IReadOnlyList<Option> Options { get; }

    /// <summary>Adds the values of the options to the request. The only command of an option can read its value from the command line itself.</summary>
    /// <exception cref="UsageException">The options contradict each other.</exception>
    public virtual HostRequest Apply(HostRequest request, CommandLine line) => request;
}
