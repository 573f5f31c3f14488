namespace Restore;

/// <summary>
/// A store refuses a file, or its listing, to the given credentials; a further try would not help. The file is lost, a refused listing ends the run.
/// </summary>
/// <param name="message">What was refused, as a sentence without a full stop and without credentials.</param>
/// <param name="innerException">The cause, or null.</param>
public sealed class AccessRefusedException(string message, Exception? innerException = null) : IOException(message, innerException);
