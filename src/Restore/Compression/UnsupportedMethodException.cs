namespace Restore.Compression;

/// <summary>
/// An archive entry uses a compression method that this machine or this build cannot decode; the message names the method, the library and the build switch.
/// </summary>
internal sealed class UnsupportedMethodException : Exception
{
    public UnsupportedMethodException(string message)
        : base(message) => this.With(IssueCode.MethodUnsupported);
}
