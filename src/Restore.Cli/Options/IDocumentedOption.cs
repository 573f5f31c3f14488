namespace Restore.Cli.Options;

/// <summary>What the help and the manual say of an option beside its name and description.</summary>
internal interface IDocumentedOption
{
    /// <summary>What applies when the option is not given; null if nothing does.</summary>
    string? DefaultText { get; }

    /// <summary>The range of its value; null if any value will do.</summary>
    string? Range { get; }
}
