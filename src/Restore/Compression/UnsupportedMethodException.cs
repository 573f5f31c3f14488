namespace Restore.Compression;

/// <summary>An archive, or an entry of it, is of a kind that nothing here decodes.</summary>
internal sealed class UnsupportedMethodException : Exception
{
    public UnsupportedMethodException(string message)
        : base(message) => this.With(IssueCode.MethodUnsupported);

    public static UnsupportedMethodException Of(ushort method) =>
        new(
            $"The volume uses the zip compression method number {method}, which cannot be decoded; "
                + "Duplicati does not write it, so the volume is damaged or was not made by Duplicati"
        );
}
