namespace Restore.Assessment;

internal enum TypeGroup : byte
{
    Other,
    Picture,
    Film,
    Music,
    Document,
    Archive,

    /// <summary>Made by programs, which make it again.</summary>
    Made,
}
