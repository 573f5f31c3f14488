using Restore.Catalog.Database;

namespace Restore.Maintenance.Database;

/// <summary>
/// The lost data of a backup: what a new database has no rows for because of the loss, and what it
/// has rows for although the data is lost.
/// </summary>
internal sealed class LostContents(NewDatabase database, DatabaseTables tables, IssueLog issues)
{
    /// <summary>
    /// Removes the entries that lost a blocklist. Their blocks are not known, and in the database a
    /// content without its blocks would contradict its length.
    /// </summary>
    public void Remove()
    {
        HashSet<int> contents = tables.Blocks.ContentsWithMissingBlocklists();
        if (contents.Count == 0)
        {
            return;
        }

        database.Execute(
            """CREATE TEMP TABLE "Lost" ("ID" INTEGER PRIMARY KEY); CREATE TEMP TABLE "LostFile" ("ID" INTEGER PRIMARY KEY)"""
        );
        Insertion insert = database.Insert("Lost", "ID");
        foreach (int content in contents)
        {
            insert.Add(content).Run();
        }

        database.Execute(
            """
            INSERT INTO "LostFile" SELECT "ID" FROM "FileLookup" WHERE "BlocksetID" IN "Lost"
                OR "MetadataID" IN (SELECT "ID" FROM "Metadataset" WHERE "BlocksetID" IN "Lost")
            """
        );
        using (
            DatabaseQuery names = database.Prepare(
                """SELECT DISTINCT "Path" FROM "File" WHERE "ID" IN "LostFile" ORDER BY 1"""
            )
        )
        {
            while (names.Read())
            {
                issues.Add(
                    new RestoreIssue(
                        IssueKind.Missing,
                        names.Text(0),
                        "The list of its blocks is lost, so it is not in the database, in the versions that have it like this"
                    )
                );
            }
        }

        database.Execute(
            """
            DELETE FROM "FilesetEntry" WHERE "FileID" IN "LostFile"; DELETE FROM "FileLookup" WHERE "ID" IN "LostFile";
            DELETE FROM "Metadataset" WHERE "BlocksetID" IN "Lost"; DELETE FROM "BlocklistHash" WHERE "BlocksetID" IN "Lost";
            DELETE FROM "BlocksetEntry" WHERE "BlocksetID" IN "Lost"; DELETE FROM "Blockset" WHERE "ID" IN "Lost";
            DROP TABLE "Lost"; DROP TABLE "LostFile"
            """
        );

        // What only the removed entries needed is not needed any more, and must be written as
        // unused. Counting again from the rows is simpler than taking references back, and rarely
        // happens.
        ReferAgain();
    }

    /// <summary>Reports the entries with blocks that no volume has. Needs the indexes.</summary>
    public void Report()
    {
        if (tables.Blocks.LacksZeros)
        {
            issues.Add(AddedBlocks.ZerosMissing("the database"));
        }

        if (tables.Blocks.LostBlocks == 0)
        {
            return;
        }

        issues.Add(
            new RestoreIssue(
                IssueKind.Warning,
                "the database",
                $"Of {tables.Blocks.LostBlocks:N0} blocks that entries need, no volume is known; the entries are listed here"
            )
        );
        using DatabaseQuery files = database.Prepare(
            $"""
            SELECT f."Path", COUNT(*), 0 FROM "Block" b CROSS JOIN "BlocksetEntry" e ON e."BlockID" = b."ID" CROSS JOIN "FileLookup" l
                ON l."BlocksetID" = e."BlocksetID" CROSS JOIN "File" f ON f."ID" = l."ID"
                WHERE b."VolumeID" = -1 AND b."ID" <> {tables.Blocks.FullZeros.Value + 1} GROUP BY f."Path"
            UNION ALL
            SELECT f."Path", COUNT(*), 1 FROM "Block" b CROSS JOIN "BlocksetEntry" e ON e."BlockID" = b."ID" CROSS JOIN "Metadataset" m
                ON m."BlocksetID" = e."BlocksetID" CROSS JOIN "FileLookup" l ON l."MetadataID" = m."ID" CROSS JOIN "File" f ON f."ID" = l."ID"
                WHERE b."VolumeID" = -1 AND b."ID" <> {tables.Blocks.FullZeros.Value + 1} GROUP BY f."Path"
            """
        );
        while (files.Read())
        {
            bool isMetadata = files.Number(2) == 1;
            issues.Add(
                new RestoreIssue(
                    isMetadata ? IssueKind.Metadata : IssueKind.Damaged,
                    files.Text(0),
                    isMetadata
                        ? "Its metadata is in no volume"
                        : $"In all versions together, it has {files.Number(1):N0} blocks that are in no volume"
                )
                {
                    MetadataLost = isMetadata,
                }
            );
        }
    }

    private void ReferAgain()
    {
        tables.Blocks.ForgetReferences();
        using (DatabaseQuery blocks = database.Prepare("""SELECT "BlockID" FROM "BlocksetEntry" """))
        {
            while (blocks.Read())
            {
                tables.Blocks.Refer(new BlockId((int)blocks.Number(0) - 1));
            }
        }

        byte[] hash = new byte[tables.Layout.BlockHash.LengthBytes()];
        using DatabaseQuery lists = database.Prepare(
            """SELECT h."Hash", h."Index", s."Length" FROM "BlocklistHash" h JOIN "Blockset" s ON s."ID" = h."BlocksetID" """
        );
        while (lists.Read())
        {
            Convert.TryFromBase64String(lists.Text(0), hash, out _);
            tables.Blocks.Refer(hash, tables.Layout.BlocklistLength(lists.Number(2), lists.Number(1)));
        }
    }
}
