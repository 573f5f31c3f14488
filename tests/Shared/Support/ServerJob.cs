using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Microsoft.Data.Sqlite;
using Restore.Encryption;

namespace Restore.Tests.Support;

/// <summary>A job as Duplicati's server keeps and exports it, for tests that need one.</summary>
internal sealed record ServerJob(
    int Id,
    string Name,
    string Location,
    IReadOnlyDictionary<string, string> Options,
    IReadOnlyList<string> Sources,
    string DatabasePath
)
{
    private const string Tables = """
        CREATE TABLE "Backup" ("ID" INTEGER PRIMARY KEY, "Name" TEXT NOT NULL, "Tags" TEXT NOT NULL, "TargetURL" TEXT NOT NULL, "DBPath" TEXT NOT NULL);
        CREATE TABLE "Source" ("BackupID" INTEGER NOT NULL, "Path" TEXT NOT NULL);
        CREATE TABLE "Filter" ("BackupID" INTEGER NOT NULL, "Order" INTEGER NOT NULL, "Include" INTEGER NOT NULL, "Expression" TEXT NOT NULL);
        CREATE TABLE "Option" ("BackupID" INTEGER NOT NULL, "Filter" TEXT NOT NULL, "Name" TEXT NOT NULL, "Value" TEXT NOT NULL);
        INSERT INTO "Option" VALUES (-1, '', '--number-of-retries', '1'), (-2, '', 'server-passphrase', 'of the web page');
        INSERT INTO "Filter" VALUES (1, 2, 0, '*.tmp'), (1, 1, 1, '*/keep.tmp')
        """;

    /// <summary>Writes a database with jobs.</summary>
    public static void WriteDatabase(string path, params ServerJob[] jobs) => WriteDatabase(path, key: null, jobs);

    /// <summary>
    /// Writes a database with jobs, whose URLs and options are encrypted if there is a key.
    /// </summary>
    public static void WriteDatabase(string path, string? key, params ServerJob[] jobs)
    {
        using SqliteConnection connection = new($"Data Source={path};Pooling=False");
        connection.Open();
        Run(connection, Tables);
        Run(connection, "BEGIN");
        foreach (ServerJob job in jobs)
        {
            Run(
                connection,
                "INSERT INTO \"Backup\" VALUES ($1, $2, '', $3, $4)",
                job.Id,
                job.Name,
                Seal(job.Location, key),
                job.DatabasePath
            );
            foreach ((string name, string value) in job.Options)
            {
                Run(connection, "INSERT INTO \"Option\" VALUES ($1, '', $2, $3)", job.Id, name, Seal(value, key));
            }

            foreach (string source in job.Sources)
            {
                Run(connection, "INSERT INTO \"Source\" VALUES ($1, $2)", job.Id, source);
            }
        }

        Run(connection, "COMMIT");
    }

    /// <summary>The exported configuration.</summary>
    public string ToExport() =>
        JsonSerializer.Serialize(
            new
            {
                CreatedByVersion = "2.1.0.0",
                Schedule = (object?)null,
                Backup = new
                {
                    ID = $"{Id}",
                    Name,
                    TargetURL = Location,
                    DBPath = DatabasePath,
                    Sources,
                    Settings = Options.Select(option => new
                    {
                        Filter = "",
                        Name = option.Key,
                        option.Value,
                        Argument = (string?)null,
                    }),
                    Filters = new[]
                    {
                        new
                        {
                            Order = 0,
                            Include = false,
                            Expression = "*.tmp",
                        },
                    },
                    Metadata = new Dictionary<string, string>(),
                },
            }
        );

    /// <summary>An AES Crypt stream.</summary>
    public static byte[] Encrypt(string text, string passphrase)
    {
        byte[] plain = Encoding.UTF8.GetBytes(text);
        byte[] stream = new byte[AesCryptEncryptor.EncryptedLength(plain.Length)];
        AesCryptEncryptor.Encrypt(plain, stream, passphrase);
        return stream;
    }

    /// <summary>A setting as the server encrypts it.</summary>
    public static string Seal(string text, string? key)
    {
        if (key is null)
        {
            return text;
        }

        string content = Convert.ToHexString(Encrypt(text, key));
        return "enc-v1:" + HashOf(content) + HashOf(key) + content;
    }

    private static string HashOf(string text) => Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(text)));

    private static void Run(SqliteConnection connection, string sql, params object[] values)
    {
        using SqliteCommand command = connection.CreateCommand();
#pragma warning disable CA2100 // Receives constants only.
        command.CommandText = sql;
#pragma warning restore CA2100
        for (int i = 0; i < values.Length; i++)
        {
            command.Parameters.AddWithValue($"${i + 1}", values[i]);
        }

        command.ExecuteNonQuery();
    }
}
