namespace Restore.Catalog;

/// <summary>Who receives the entries of a list failed, which says nothing about the list.</summary>
internal sealed class ReceiverException(Exception cause) : Exception(cause.Message, cause);
