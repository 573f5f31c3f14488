namespace Restore.Assessment;

internal enum TypeGroup : byte
{
    Other,
    Picture,
    Film,
    Music,
    Document,
    Archive,

    /// <summary>Source code and what else is edited by programs in all files of a folder.</summary>
    Text,

    /// <summary>
    /// Mail boxes, databases, disks of virtual machines, encrypted containers: they change whenever
    /// they are used, and what programs do to them looks like anything.
    /// </summary>
    Container,

    /// <summary>Made by programs, which make it again.</summary>
    Made,
}
