namespace Restore.Format;

/// <summary>The metadata of one entry, parsed from its blob (a JSON object of strings). Absent or unusable values are null.</summary>
internal sealed partial record EntryMetadata
{
    public static EntryMetadata Empty { get; } = new();

    /// <summary>Last-modified time in UTC ticks (100 ns since year 1), within the range of <see cref="DateTime"/>.</summary>
    public long? LastWriteTicks { get; init; }

    /// <summary>Creation time in UTC ticks; not applied on Linux, where setting it would set the last-modified time.</summary>
    public long? CreationTicks { get; init; }

    public FileAttributes? Attributes { get; init; }
    public string? SymlinkTarget { get; init; }

    public uint? UserId { get; init; }

    public uint? GroupId { get; init; }

    /// <summary>Mode bits, 0777 only.</summary>
    public int? Mode { get; init; }

    public string? OwnerName { get; init; }

    public string? GroupName { get; init; }
    public IReadOnlyList<KeyValuePair<string, byte[]>> ExtendedAttributes { get; init; } = [];

    public uint? MacFlags { get; init; }

    public string? MacAcl { get; init; }
    public string? WindowsAccessRules { get; init; }

    public bool WindowsAccessRulesProtected { get; init; }

    /// <summary>Why values of the blob could not be used, for the report.</summary>
    public IReadOnlyList<string> Unusable { get; init; } = [];
}
