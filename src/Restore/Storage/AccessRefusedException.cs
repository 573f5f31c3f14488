namespace Restore.Storage;

/// <summary>The store refuses a file to these credentials; trying again changes nothing.</summary>
internal sealed class AccessRefusedException(string message, Exception? innerException = null) : IOException(message, innerException);
