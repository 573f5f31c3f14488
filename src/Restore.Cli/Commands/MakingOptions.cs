using static Restore.Cli.Options.Declare;

namespace Restore.Cli.Commands;

/// <summary>The options of <c>backup</c>: what to back up, and how.</summary>
internal static class MakingOptions
{
    private const string AttributesName = "--exclude-files-attributes";

    // .NET has no names for FILE_ATTRIBUTE_RECALL_ON_OPEN and FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS.
    private const FileAttributes NotLocal = FileAttributes.Offline | (FileAttributes)0x40000 | (FileAttributes)0x400000;
    private const string StoredTypesName = "--compression-extension-file";

    private const string MarkersName = "--ignore-filenames";
    private const string UsualMarker = "CACHEDIR.TAG";

    public static OptionGroup Source(SharedOptions shared)
    {
        var allowMissing = Flag("--allow-missing-source", "Go on if a source is not there, as long as one is");
        var abortIfMissing = Flag(
            "--abort-if-source-missing",
            "End if a source is not there, in spite of --allow-missing-source"
        );
        var changed = Paths(
            "--changed-files",
            "Look at these paths only; all else is as in the newest version. The first version looks at everything"
        );
        var deleted = Paths(
            "--deleted-files",
            "With --changed-files: what is not there any more; a folder with all that was in it"
        );
        return new(
            "Selection",
            [.. Rules(shared), allowMissing, abortIfMissing, changed, deleted],
            (request, line) =>
                request with
                {
                    Writer = request.Writer with
                    {
                        AllowMissingSources = line.Value(allowMissing) && !line.Value(abortIfMissing),
                        ChangedPaths = line.Value(changed) is { Count: > 0 } paths ? paths : null,
                        DeletedPaths =
                            line.Value(deleted) is not { Count: > 0 } gone ? []
                            : line.Value(changed) is { Count: > 0 } ? gone
                            : throw new UsageException(
                                $"{deleted.Name} counts only with {changed.Name}: without it, everything is looked at"
                            ),
                    },
                }
        )
        {
            IsFromJob = true,
        };
    }

    private static IReadOnlyList<Option> Rules(SharedOptions shared) =>
        [
            .. shared.FilterRules,
            TextOrNone(
                    MarkersName,
                    "NAMES",
                    UsualMarker,
                    "Leave out folders that have a file of this name in them; several names are separated as in PATH, an empty value takes all folders"
                )
                .SetsWriter((writer, names) => writer with { MarkerFiles = Markers(names!) }),
            Flag("--exclude-empty-folders", "Leave out folders without a file or link that is taken; the sources stay")
                .SetsWriter((writer, leavesOut) => writer with { ExcludeEmptyFolders = leavesOut }),
            Flag(
                    "--disable-backup-exclusion-xattr",
                    "Take entries with the extended attribute user.duplicati.exclude too; without it, they are left out (Linux)"
                )
                .SetsWriter((writer, takes) => writer with { TakeMarkedEntries = takes }),
            Flag(
                    "--exclude-non-local-files",
                    "Leave out files of which only a placeholder is on this machine, as those of OneDrive (Windows)"
                )
                .SetsWriter(
                    (writer, leavesOut) =>
                        writer with
                        {
                            ExcludedAttributes = writer.ExcludedAttributes | (leavesOut ? NotLocal : 0),
                        }
                ),
            Flag("--prevent-empty-source", "End if a source is an empty folder, as that of a disk that is not mounted")
                .SetsWriter((writer, refuses) => writer with { RefuseEmptySources = refuses }),
            shared.SkipsMetadata,
            Text(
                    AttributesName,
                    "NAMES",
                    "none",
                    "Leave out files and folders with one of these attributes, such as hidden,system,temporary"
                )
                .SetsWriter(
                    (writer, names) =>
                        writer with
                        {
                            ExcludedAttributes = writer.ExcludedAttributes | Attributes(names!),
                        }
                ),
            Size("--skip-files-larger-than", "mb", "1b", "1000tb", "no limit", "Leave out larger files")
                .SetsWriter((writer, bytes) => writer with { MaxFileSizeBytes = bytes }),
            Word<SymlinkPolicy>(
                    "--symlink-policy",
                    "store",
                    "Store symbolic links as links, store what they lead to instead, or leave them out"
                )
                .SetsWriter((writer, policy) => writer with { Symlinks = (SymlinkPolicy)policy! }),
            Word<HardlinkPolicy>(
                    "--hardlink-policy",
                    "all",
                    "Of a file with several names store each, the first, or none; each is restored as a file of its own"
                )
                .SetsWriter((writer, policy) => writer with { Hardlinks = (HardlinkPolicy)policy! }),
            Flag(
                    "--disable-filetime-check",
                    "Read every file; otherwise one with the size and time of the newest version is not read again"
                )
                .SetsWriter((writer, readsAll) => writer with { ReadAll = readsAll }),
        ];

    public static OptionGroup Making(SharedOptions shared, Option<bool> withRestorer)
    {
        var noEncryption = Flag(
            "--no-encryption",
            "Begin a new backup without encryption: anyone who has it can read it"
        );
        var uploadUnchanged = Flag("--upload-unchanged-backups", "Write a version even if nothing has changed");
        return new(
            "Making the backup",
            [
                noEncryption,
                TextOrNone(
                        "--encryption-module",
                        "NAME",
                        "aes",
                        "Encryption of the backup: aes. Volumes of GnuPG (gpg) are read, and not written"
                    )
                    .SetsWriter(RequireEncryption),
                Size(
                        "--blocksize",
                        "kb",
                        "1kb",
                        "512mb",
                        "that of the backup, or 1mb",
                        "Length of a block; a backup keeps that of its first version"
                    )
                    .SetsWriter((writer, bytes) => writer with { BlockSizeBytes = (int?)bytes }),
                shared.VolumeSize,
                Count(
                        "--zip-compression-level",
                        0,
                        9,
                        "6",
                        "From fast to small; 0 compresses nothing",
                        "--compression-level"
                    )
                    .SetsWriter((writer, level) => writer with { CompressionLevel = (int)level! }),
                Text(
                        StoredTypesName,
                        "FILE",
                        "a list of its own",
                        "Store files uncompressed whose names end as a line of this file says, such as .jpg"
                    )
                    .SetsWriter((writer, file) => writer with { StoredExtensions = StoredTypes(file!) }),
                Text(
                        "--block-hash-algorithm",
                        "NAME",
                        "that of the backup, or SHA256",
                        "Hash of blocks: MD5, SHA1, SHA256, SHA384 or SHA512"
                    )
                    .SetsWriter((writer, name) => writer with { BlockHash = name!.ToUpperInvariant() }),
                Text(
                        "--file-hash-algorithm",
                        "NAME",
                        "that of the backup, or SHA256",
                        "Hash of files and volumes: MD5, SHA1, SHA256, SHA384 or SHA512"
                    )
                    .SetsWriter((writer, name) => writer with { FileHash = name!.ToUpperInvariant() }),
                uploadUnchanged,
                Count(
                        "--concurrency-fileprocessors",
                        1,
                        256,
                        "the number of cores",
                        "How many files are read and hashed at a time"
                    )
                    .SetsWriter(MoreReaders),
                Count(
                        "--concurrency-block-hashers",
                        1,
                        256,
                        "--concurrency-fileprocessors",
                        "The same: who reads a file hashes it. The larger number counts"
                    )
                    .SetsWriter(MoreReaders),
                Count(
                        "--concurrency-compressors",
                        1,
                        256,
                        "the number of cores",
                        "How many blocks are compressed at a time"
                    )
                    .SetsWriter((writer, count) => writer with { Compressors = count }),
                Count(
                        "--asynchronous-upload-limit",
                        1,
                        64,
                        "4",
                        "How many volumes are sent to a server at a time; each is in memory meanwhile"
                    )
                    .SetsWriter((writer, count) => writer with { Uploads = (int)count! }),
                Flag(
                        "--disable-autocreate-folder",
                        "End if the folder of the backup is not there, as that of a disk that is not mounted, instead of making it"
                    )
                    .SetsWriter((writer, refuses) => writer with { RequireDestination = refuses }),
                withRestorer,
                shared.BreakLock,
            ],
            (request, line) =>
                request with
                {
                    Writer = request.Writer with
                    {
                        RefuseUnencrypted = !IsUnencrypted(line, noEncryption),
                        VolumeSizeBytes = (int?)line.Value(shared.VolumeSize) ?? request.Writer.VolumeSizeBytes,
                        SkipUnchanged = !line.Value(uploadUnchanged),
                    },
                }
        )
        {
            IsFromJob = true,
        };
    }

    /// <summary>
    /// A passphrase of a variable can be meant for other backups; one that is given here is for
    /// this one.
    /// </summary>
    private static bool IsUnencrypted(CommandLine line, Option<bool> noEncryption) =>
        line.Value(noEncryption) && AccessOptions.PassphraseOptionOf(line) is { } given
            ? throw new UsageException($"{noEncryption.Name} and {given} exclude each other: give one of them")
            : line.Value(noEncryption);

    private static BackupWriterOptions MoreReaders(BackupWriterOptions writer, int? count) =>
        writer with
        {
            FileReaders = Math.Max(count ?? 1, writer.FileReaders ?? 1),
        };

    private static FileAttributes Attributes(string names)
    {
        FileAttributes sum = 0;
        foreach (var name in names.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            sum |=
                // TryParse takes numbers too.
                Enum.TryParse(name, ignoreCase: true, out FileAttributes attribute)
                && Enum.IsDefined(attribute)
                && !int.TryParse(name, out _)
                    ? attribute
                    : throw new UsageException(
                        $"{AttributesName}: '{name}' is no attribute; give some of {string.Join(", ", Enum.GetNames<FileAttributes>())}"
                    );
        }

        return sum;
    }

    private static string[] Markers(string names)
    {
        string[] all = names.Split(
            Path.PathSeparator,
            StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries
        );
        return all.FirstOrDefault(name => name.AsSpan().IndexOfAny('/', '\\') >= 0 || name is "." or "..") is { } path
            ? throw new UsageException($"{MarkersName}: '{path}' is no name of a file in a folder")
            : all;
    }

    /// <summary>Refuses an unsupported encryption instead of using another one.</summary>
    private static BackupWriterOptions RequireEncryption(BackupWriterOptions writer, string? name) =>
        name!.ToLowerInvariant() is "" or "aes"
            ? writer
            : throw new UsageException(
                $"--encryption-module={name}: volumes are encrypted with aes or not at all; those of GnuPG are read, and not written"
            );

    /// <summary>As in Duplicati: what follows the end of a name on its line is a remark.</summary>
    private static string[] StoredTypes(string file) =>
        [
            .. NamedFile
                .Lines(StoredTypesName, file)
                .Select(line => line.Trim().Split(' ', '\t')[0])
                .Where(type => type.StartsWith('.')),
        ];
}
