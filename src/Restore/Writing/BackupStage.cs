namespace Restore.Writing;

/// <summary>A stage of a backup.</summary>
public enum BackupStage
{
    /// <summary>Reading files and their metadata.</summary>
    Read,

    /// <summary>Hashing files and blocks.</summary>
    Hash,

    /// <summary>Compressing blocks.</summary>
    Compress,

    /// <summary>Encrypting and hashing volumes, and making index volumes.</summary>
    Encrypt,

    /// <summary>Writing volumes to the store.</summary>
    Upload,
}
