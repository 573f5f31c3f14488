namespace Restore.Cli.Options;

/// <summary>Details of an option for the help and the manual.</summary>
internal interface IDocumentedOption
{
    /// <summary>The default; null if there is none.</summary>
    string? DefaultText { get; }

    /// <summary>The range of its value; null if every value is valid.</summary>
    string? Range { get; }
}
