using System.Security.Cryptography;
using System.Text;
using Microsoft.Data.Sqlite;

namespace Restore.Tests.Catalog.Database;

/// <summary>
/// A database of 9,000 files of one block and one file of 10,000 blocks, without metadata, over
/// three volumes that are only names. Blocks are named by SHA1 and files by SHA512, so that the
/// hash of a file does not tell its block.
/// </summary>
public sealed class LargeDatabase : IDisposable
{
    public const int SmallFiles = 9_000;
    public const int LargeFileBlocks = 10_000;
    public const int LargeFile = SmallFiles + 1;
    public const int FirstLargeBlock = 100_001;
    private const int BlockSize = 1024;

    private readonly DatabaseWorkspace work = new();

    public LargeDatabase()
    {
        work.DeleteVolumes("duplicati");
        for (int volume = 1; volume <= 3; volume++)
        {
            File.WriteAllText(Path.Join(work.Volumes, VolumeName(volume)), "no archive");
        }

        Fill();
    }

    public static string VolumeName(int volume) => $"duplicati-b{volume:x32}.dblock.zip";

    public static int VolumeOf(int block) => 1 + (block % 3);

    public static int SizeOf(int block) => block >= FirstLargeBlock ? BlockSize : 1 + (block % BlockSize);

    public static byte[] Hash(int block) => SHA1.HashData(Encoding.ASCII.GetBytes($"block {block}"));

    public void Dispose() => work.Dispose();

    internal DatabaseWorkspace Copy() => new(work);

    private void Fill()
    {
        using SqliteConnection connection = new($"Data Source={work.Database};Pooling=False");
        connection.Open();
        using SqliteTransaction transaction = connection.BeginTransaction();
        Dictionary<string, SqliteCommand> commands = [];
        string[] tables =
        [
            "Fileset",
            "FilesetEntry",
            "FileLookup",
            "PathPrefix",
            "Blockset",
            "BlocksetEntry",
            "Block",
            "Metadataset",
            "Remotevolume",
        ];
        foreach (string table in tables)
        {
            Execute($"DELETE FROM {table}");
        }

        Execute("UPDATE Configuration SET Value = '1024' WHERE Key = 'blocksize'");
        Execute("UPDATE Configuration SET Value = 'SHA1' WHERE Key = 'blockhash'");
        Execute("UPDATE Configuration SET Value = 'SHA512' WHERE Key = 'filehash'");
        Execute("INSERT INTO PathPrefix VALUES (1, '/data/')");
        Execute("INSERT INTO Fileset VALUES (1, 1, 4, 1, 1795267396)");
        for (int volume = 1; volume <= 4; volume++)
        {
            string name = volume == 4 ? "duplicati-20261121T132316Z.dlist.zip" : VolumeName(volume);
            Execute(
                "INSERT INTO Remotevolume VALUES ($a, 1, $b, 'Any', 10, NULL, 'Verified', 0, 0, 0, 0)",
                volume,
                name
            );
        }

        for (int file = 1; file <= LargeFile; file++)
        {
            long size = file == LargeFile ? (long)LargeFileBlocks * BlockSize : SizeOf(file);
            Execute("INSERT INTO FileLookup VALUES ($a, 1, $b, $a, -1)", file, $"file-{file:D6}");
            Execute("INSERT INTO FilesetEntry VALUES (1, $a, 0)", file);
            Execute(
                "INSERT INTO Blockset VALUES ($a, $b, $c)",
                file,
                size,
                Convert.ToBase64String(SHA512.HashData(BitConverter.GetBytes(file)))
            );
        }

        for (
            int block = 1;
            block < FirstLargeBlock + LargeFileBlocks;
            block = block == SmallFiles ? FirstLargeBlock : block + 1
        )
        {
            Execute(
                "INSERT INTO Block VALUES ($a, $b, $c, $d)",
                block,
                Convert.ToBase64String(Hash(block)),
                SizeOf(block),
                VolumeOf(block)
            );
            Execute(
                "INSERT INTO BlocksetEntry VALUES ($b, $c, $a)",
                block,
                Math.Min(block, LargeFile),
                Math.Max(0, block - FirstLargeBlock)
            );
        }

        transaction.Commit();

        void Execute(string sql, params object[] values)
        {
            if (!commands.TryGetValue(sql, out SqliteCommand? command))
            {
                commands[sql] = command = connection.CreateCommand();
                command.CommandText = sql;
            }

            command.Parameters.Clear();
            for (int i = 0; i < values.Length; i++)
            {
                command.Parameters.AddWithValue($"${(char)('a' + i)}", values[i]);
            }

            command.ExecuteNonQuery();
        }
    }
}
