namespace Restore.Browse.Restoring;

internal enum Severity
{
    /// <summary>Data of the entry is damaged, missing or refused.</summary>
    Lost,

    /// <summary>Left out by choice: nothing is lost.</summary>
    LeftOut,

    Warning,
}
