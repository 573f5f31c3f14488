namespace Restore.Catalog;

/// <summary>
/// The receiver of the entries of a list failed, which says nothing about the list.
/// </summary>
internal sealed class ReceiverException(Exception cause) : Exception(cause.Message, cause);
