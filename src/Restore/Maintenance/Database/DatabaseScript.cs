using Restore.Catalog.Database;

namespace Restore.Maintenance.Database;

/// <summary>
/// The tables of a local database of schema version 19, by the names that Duplicati looks for.
/// </summary>
internal static class DatabaseScript
{
    public const long SchemaVersion = DatabaseSchema.NewestVersion;

    /// <summary>
    /// What a database of a running job may need that a rebuilt one has no rows for, too.
    /// </summary>
    public const string Tables = """
        CREATE TABLE "Operation" ("ID" INTEGER PRIMARY KEY, "Description" TEXT NOT NULL, "Timestamp" INTEGER NOT NULL);
        CREATE TABLE "Remotevolume" (
            "ID" INTEGER PRIMARY KEY, "OperationID" INTEGER NOT NULL, "Name" TEXT NOT NULL, "Type" TEXT NOT NULL, "Size" INTEGER NULL, "Hash" TEXT NULL,
            "State" TEXT NOT NULL, "VerificationCount" INTEGER NOT NULL, "DeleteGraceTime" INTEGER NOT NULL, "ArchiveTime" INTEGER NOT NULL,
            "LockExpirationTime" INTEGER NOT NULL);
        CREATE TABLE "IndexBlockLink" ("IndexVolumeID" INTEGER NOT NULL, "BlockVolumeID" INTEGER NOT NULL);
        CREATE TABLE "Fileset" (
            "ID" INTEGER PRIMARY KEY, "OperationID" INTEGER NOT NULL, "VolumeID" INTEGER NOT NULL, "IsFullBackup" INTEGER NOT NULL,
            "Timestamp" INTEGER NOT NULL);
        CREATE TABLE "FilesetEntry" (
            "FilesetID" INTEGER NOT NULL, "FileID" INTEGER NOT NULL, "Lastmodified" INTEGER NOT NULL,
            CONSTRAINT "FilesetEntry_PK_FilesetIdFileId" PRIMARY KEY ("FilesetID", "FileID")) WITHOUT ROWID;
        CREATE TABLE "PathPrefix" ("ID" INTEGER PRIMARY KEY, "Prefix" TEXT NOT NULL);
        CREATE TABLE "FileLookup" (
            "ID" INTEGER PRIMARY KEY, "PrefixID" INTEGER NOT NULL, "Path" TEXT NOT NULL, "BlocksetID" INTEGER NOT NULL, "MetadataID" INTEGER NOT NULL);
        CREATE TABLE "BlocklistHash" ("BlocksetID" INTEGER NOT NULL, "Index" INTEGER NOT NULL, "Hash" TEXT NOT NULL);
        CREATE TABLE "Blockset" ("ID" INTEGER PRIMARY KEY, "Length" INTEGER NOT NULL, "FullHash" TEXT NOT NULL);
        CREATE TABLE "BlocksetEntry" (
            "BlocksetID" INTEGER NOT NULL, "Index" INTEGER NOT NULL, "BlockID" INTEGER NOT NULL,
            CONSTRAINT "BlocksetEntry_PK_IdIndex" PRIMARY KEY ("BlocksetID", "Index")) WITHOUT ROWID;
        CREATE TABLE "Block" ("ID" INTEGER PRIMARY KEY, "Hash" TEXT NOT NULL, "Size" INTEGER NOT NULL, "VolumeID" INTEGER NOT NULL);
        CREATE TABLE "DeletedBlock" ("ID" INTEGER PRIMARY KEY, "Hash" TEXT NOT NULL, "Size" INTEGER NOT NULL, "VolumeID" INTEGER NOT NULL);
        CREATE TABLE "DuplicateBlock" ("BlockID" INTEGER NOT NULL, "VolumeID" INTEGER NOT NULL);
        CREATE TABLE "Metadataset" ("ID" INTEGER PRIMARY KEY, "BlocksetID" INTEGER NOT NULL, "Content" TEXT NULL);
        CREATE TABLE "RemoteOperation" (
            "ID" INTEGER PRIMARY KEY, "OperationID" INTEGER NOT NULL, "Timestamp" INTEGER NOT NULL, "Operation" TEXT NOT NULL, "Path" TEXT NOT NULL,
            "Data" BLOB NULL);
        CREATE TABLE "LogData" (
            "ID" INTEGER PRIMARY KEY, "OperationID" INTEGER NOT NULL, "Timestamp" INTEGER NOT NULL, "Type" TEXT NOT NULL, "Message" TEXT NOT NULL,
            "Exception" TEXT NULL);
        CREATE TABLE "Version" ("ID" INTEGER PRIMARY KEY, "Version" INTEGER NOT NULL);
        CREATE TABLE "Configuration" ("Key" TEXT PRIMARY KEY NOT NULL, "Value" TEXT NOT NULL);
        CREATE TABLE "ChangeJournalData" (
            "ID" INTEGER PRIMARY KEY, "FilesetID" INTEGER NOT NULL, "VolumeName" TEXT NOT NULL, "JournalID" INTEGER NOT NULL,
            "NextUsn" INTEGER NOT NULL, "ConfigHash" TEXT NOT NULL);
        CREATE VIEW "File" AS SELECT "A"."ID" AS "ID", "B"."Prefix" || "A"."Path" AS "Path", "A"."BlocksetID" AS "BlocksetID",
            "A"."MetadataID" AS "MetadataID" FROM "FileLookup" "A", "PathPrefix" "B" WHERE "A"."PrefixID" = "B"."ID";
        """;

    /// <summary>
    /// Each thread that sorts an index has this much. With four times as much, the indexes of a
    /// million files take just as long.
    /// </summary>
    public const string MemoryOfIndexes = "PRAGMA cache_size = -4096";

    /// <summary>The indexes, one statement each: they are made when all rows are there.</summary>
    public static readonly IReadOnlyList<string> Indexes =
    [
        """CREATE UNIQUE INDEX "RemotevolumeNameOnly" ON "Remotevolume" ("Name")""",
        """CREATE UNIQUE INDEX "RemotevolumeName" ON "Remotevolume" ("Name", "State")""",
        """CREATE INDEX "FilesetentryFileIdIndex" on "FilesetEntry" ("FileID")""",
        """CREATE INDEX "nn_FilesetentryFile" on "FilesetEntry" ("FilesetID", "FileID")""",
        """CREATE UNIQUE INDEX "PathPrefixPrefix" ON "PathPrefix" ("Prefix")""",
        """CREATE UNIQUE INDEX "FileLookupPath" ON "FileLookup" ("PrefixID", "Path", "BlocksetID", "MetadataID")""",
        """CREATE INDEX "nn_FileLookup_BlockMeta" ON "FileLookup" ("BlocksetID", "MetadataID")""",
        """CREATE INDEX "FileLookupMetadataID" ON "FileLookup" ("MetadataID")""",
        """CREATE UNIQUE INDEX "BlocklistHashBlocksetIDIndex" ON "BlocklistHash" ("BlocksetID", "Index")""",
        """CREATE UNIQUE INDEX "BlocksetFullHash" ON "Blockset" ("FullHash", "Length")""",
        """CREATE INDEX "BlocksetEntry_IndexIdsBackwards" ON "BlocksetEntry" ("BlockID")""",
        """CREATE INDEX "nnc_BlocksetEntry" ON "BlocksetEntry" ("Index", "BlocksetID", "BlockID")""",
        """CREATE INDEX "BlocksetEntry_BlocksetID" ON "BlocksetEntry" ("BlocksetID")""",
        """CREATE UNIQUE INDEX "BlockHashSize" ON "Block" ("Hash", "Size")""",
        """CREATE INDEX "Block_IndexByVolumeId" ON "Block" ("VolumeID")""",
        """CREATE INDEX "BlockSize" ON "Block" ("Size")""",
        """CREATE INDEX "BlockHashVolumeID" ON "Block" ("Hash", "VolumeID")""",
        """CREATE INDEX "DeletedBlockHashSize" ON "DeletedBlock" ("Hash", "Size")""",
        """CREATE UNIQUE INDEX "DeletedBlockHashVolumeID" ON "DeletedBlock" ("Hash", "Size", "VolumeID")""",
        """CREATE UNIQUE INDEX "UniqueBlockVolumeDuplicateBlock" ON "DuplicateBlock" ("BlockID", "VolumeID")""",
        """CREATE INDEX "MetadatasetBlocksetID" ON "Metadataset" ("BlocksetID")""",
        """CREATE INDEX "nnc_Metadataset" ON "Metadataset" ("ID", "BlocksetID")""",
    ];
}
