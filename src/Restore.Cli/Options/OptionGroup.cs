using System.CommandLine;

namespace Restore.Cli.Options;

/// <summary>Options that belong together in the help text.</summary>
internal sealed record OptionGroup(string Title, IReadOnlyList<Option> Options);
