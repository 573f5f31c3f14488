namespace Restore.Volumes;

/// <summary>What trying the passphrase on volumes has shown.</summary>
internal enum PassphraseOutcome
{
    /// <summary>No volume is encrypted.</summary>
    NotNeeded,

    /// <summary>It opened a volume.</summary>
    Right,

    /// <summary>It opened none of the volumes that could be read.</summary>
    Wrong,

    /// <summary>No encrypted volume could be read.</summary>
    Unknown,
}
