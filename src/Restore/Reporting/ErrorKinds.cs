using System.Collections.Frozen;
using static Restore.RestoreErrorCode;

namespace Restore.Reporting;

/// <summary>Which kind of error a code belongs to.</summary>
internal static class ErrorKinds
{
    // A code without a row here belongs to the kind Failed.
    private static readonly FrozenDictionary<string, RestoreErrorKind> Kinds = new Dictionary<
        RestoreErrorKind,
        string[]
    >
    {
        [RestoreErrorKind.Usage] =
        [
            OptionInvalid,
            LocationInvalid,
            UrlHostMissing,
            UrlPortInvalid,
            SchemeUnknown,
            StoreOptionInvalid,
            CertificateHashUnsupported,
            CredentialsIncomplete,
            BucketRegionWrong,
            FilterEmpty,
            FilterGroupUnsupported,
            FilterInvalid,
            FilterTooSlow,
            PathEmpty,
            TargetRequired,
            AccountUnknown,
            PassphraseMultiline,
            PassphraseHasControls,
            DatabaseMismatch,
            VersionTimeTooOld,
            DestinationIncompatible,
            StoreOptionUnknown,
            PassphraseNotChangeable,
            PlanDamaged,
            OutputExists,
            ShardPlanOther,
            PlanBackupOther,
            PlanVersionGone,
            ShardCountWrong,
        ],
        [RestoreErrorKind.WrongPassphrase] =
        [
            WrongPassphrase,
            PassphraseMissing,
            DestinationPassphraseWrong,
            SettingsKeyMissing,
            SettingsKeyWrong,
            JobFilePassphraseMissing,
            JobFilePassphraseWrong,
            EncryptionUndecided,
            PassphraseNotText,
        ],
        [RestoreErrorKind.NotFound] =
        [
            LocationNotFound,
            LocationIsFile,
            RemoteFolderNotFound,
            BucketNotFound,
            RcloneRemoteNotFound,
            BackupNotFound,
            SeveralBackups,
            PrefixNotFound,
            FileListsMissing,
            VersionNotFound,
            NothingSelected,
            DatabaseNotFound,
            SourceNotFound,
            SourceUnreadable,
            SourceEmpty,
            EntryNotFound,
            EntryIsNotFile,
            ServerDatabaseNotFound,
            JobNotFound,
            SeveralJobs,
            JobFileNotFound,
            VolumeNotFound,
        ],
        [RestoreErrorKind.TargetNotWritable] =
        [
            TargetUnusable,
            TargetFull,
            TargetQuotaExceeded,
            TargetReadOnly,
            TargetAccessDenied,
            TargetNotCreated,
            DestinationNotWritable,
            TargetLost,
            OutputNotWritable,
            OutputFull,
            FileTooLarge,
            QuotaExceeded,
            TargetInUse,
            BackupLocked,
            StoreAppendOnly,
            StoreReadOnly,
            ShardTargetOther,
        ],
    }
        .SelectMany(kind => kind.Value.Select(code => (code, kind.Key)))
        .ToFrozenDictionary(row => row.code, row => row.Key);

    public static RestoreErrorKind Of(string code) => Kinds.GetValueOrDefault(code, RestoreErrorKind.Failed);
}
