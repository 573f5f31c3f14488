namespace Restore.Catalog;

/// <summary>A file list is broken after entries that were used already.</summary>
internal sealed class BrokenListException(Exception cause)
    : Exception("The file list is broken after entries that were used", cause);
