using System.CommandLine;
using Restore.Cli.Options;

namespace Restore.Cli.Commands;

internal sealed class SourceOptions(FilterOptions filters) : OptionGroup
{
    private readonly Option<string?> attributes = Declare.Text(
        "--exclude-files-attributes", "NAMES", "none", "Leave out files and folders with one of these attributes, such as hidden,system,temporary");

    private readonly Option<long?> largest = Declare.Size(
        "--skip-files-larger-than", "mb", "1b", "1000tb", "no limit", "Leave out larger files");

    private readonly Option<SymlinkPolicy?> symlinks = Declare.Word<SymlinkPolicy>(
        "--symlink-policy", "store", "Store symbolic links as links, store what they lead to instead, or leave them out");

    private readonly Option<HardlinkPolicy?> hardlinks = Declare.Word<HardlinkPolicy>(
        "--hardlink-policy", "all", "Of a file with several names store each, the first, or none; each is restored as a file of its own");

    private readonly Option<bool> readAll = Declare.Flag(
        "--disable-filetime-check", "Read every file; otherwise one with the size and time of the newest version is not read again");

    public override string Title => "Selection";

    public override IReadOnlyList<Option> Options => [.. filters.Options, attributes, largest, symlinks, hardlinks, readAll];

    /// <summary>The sources are operands too, and are no filters.</summary>
    public override HostRequest Apply(HostRequest request, CommandLine line) => request with { Rules = filters.Rules(line.Parsed) };

    public BackupWriterOptions Apply(BackupWriterOptions options, HostRequest request, CommandLine line) => options with
    {
        Filter = FilterOf(request.Rules),
        ExcludedAttributes = Attributes(line.Value(attributes)),
        MaxFileSizeBytes = line.Value(largest),
        Symlinks = line.Value(symlinks) ?? SymlinkPolicy.Store,
        Hardlinks = line.Value(hardlinks) ?? HardlinkPolicy.All,
        ReadAll = line.Value(readAll),
    };

    /// <summary>As in Duplicati: with filters that include only, all folders are looked into.</summary>
    private static EntryFilter FilterOf(IReadOnlyList<FilterRule> rules) => rules.Count > 0 && rules.All(rule => rule.Include)
        ? EntryFilter.Parse([], [.. rules, new FilterRule(true, "*" + Path.DirectorySeparatorChar)])
        : EntryFilter.Parse([], rules);

    private FileAttributes Attributes(string? names)
    {
        FileAttributes sum = 0;
        foreach (var name in (names ?? "").Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            sum |= Enum.TryParse(name, ignoreCase: true, out FileAttributes attribute) && Enum.IsDefined(attribute) && !int.TryParse(name, out _)
                ? attribute
                : throw new UsageException($"{attributes.Name}: '{name}' is no attribute; give some of {string.Join(", ", Enum.GetNames<FileAttributes>())}");
        }

        return sum;
    }
}

internal sealed class MakingOptions(SharedOptions shared) : OptionGroup
{
    private readonly Option<bool> noEncryption = Declare.Flag("--no-encryption", "Begin a new backup without encryption: anyone who has it can read it");

    private readonly Option<string?> encryption = Declare.Text(
        "--encryption-module", "NAME", "aes", "Encryption of the backup: aes. Volumes of GnuPG (gpg) are read, and not written");

    private readonly Option<long?> blockSize = Declare.Size(
        "--blocksize", "kb", "1kb", "512mb", "that of the backup, or 1mb", "Length of a block; a backup keeps that of its first version");

    private readonly Option<int?> level = Declare.Count(
        "--zip-compression-level", 0, 9, "6", "From fast to small; 0 compresses nothing", "--compression-level");

    private readonly Option<string?> storedTypes = Declare.Text(
        "--compression-extension-file", "FILE", "a list of its own", "Store files uncompressed whose names end as a line of this file says, such as .jpg");

    private readonly Option<string?> blockHash = Declare.Text(
        "--block-hash-algorithm", "NAME", "that of the backup, or SHA256", "Hash of blocks: MD5, SHA1, SHA256, SHA384 or SHA512");

    private readonly Option<string?> fileHash = Declare.Text(
        "--file-hash-algorithm", "NAME", "that of the backup, or SHA256", "Hash of files and volumes: MD5, SHA1, SHA256, SHA384 or SHA512");

    private readonly Option<bool> uploadUnchanged = Declare.Flag("--upload-unchanged-backups", "Write a version even if nothing has changed");

    private readonly Option<int?> readers = Declare.Count(
        "--concurrency-fileprocessors", 1, 256, "the number of cores", "How many files are read and hashed at a time");

    private readonly Option<int?> hashers = Declare.Count(
        "--concurrency-block-hashers", 1, 256, "--concurrency-fileprocessors", "The same: who reads a file hashes it. The larger number counts");

    private readonly Option<int?> compressors = Declare.Count(
        "--concurrency-compressors", 1, 256, "the number of cores", "How many blocks are compressed at a time");

    private readonly Option<int?> uploads = Declare.Count(
        "--asynchronous-upload-limit", 1, 64, "4", "How many volumes are sent to a server at a time; each is in memory meanwhile");

    public override string Title => "Making the backup";

    public override IReadOnlyList<Option> Options =>
    [
        noEncryption, encryption, blockSize, shared.VolumeSize, level, storedTypes, blockHash, fileHash, uploadUnchanged, readers, hashers, compressors,
        uploads, shared.BreakLock,
    ];

    public BackupWriterOptions Apply(BackupWriterOptions options, CommandLine line) => RequireEncryption(line, options) with
    {
        RefuseUnencrypted = !line.Value(noEncryption),
        Passphrase = line.Value(noEncryption) ? null : options.Passphrase,
        BlockSizeBytes = (int?)line.Value(blockSize),
        VolumeSizeBytes = (int?)line.Value(shared.VolumeSize) ?? options.VolumeSizeBytes,
        CompressionLevel = line.Value(level) ?? options.CompressionLevel,
        StoredExtensions = line.Value(storedTypes) is { } file ? Types(file) : options.StoredExtensions,
        BlockHash = line.Value(blockHash)?.ToUpperInvariant(),
        FileHash = line.Value(fileHash)?.ToUpperInvariant(),
        SkipUnchanged = !line.Value(uploadUnchanged),
        FileReaders = line.Value(readers) is null ? line.Value(hashers) : Math.Max(line.Value(readers)!.Value, line.Value(hashers) ?? 1),
        Compressors = line.Value(compressors),
        Uploads = line.Value(uploads) ?? options.Uploads,
        BreakLock = line.Value(shared.BreakLock),
    };

    /// <summary>A backup with another encryption than was asked for would be a surprise.</summary>
    private BackupWriterOptions RequireEncryption(CommandLine line, BackupWriterOptions options) =>
        line.Value(encryption)?.ToLowerInvariant() is null or "" or "aes" ? options : throw new UsageException(
            $"--encryption-module={line.Value(encryption)}: volumes are encrypted with aes or not at all; those of GnuPG are read, and not written");

    /// <summary>As in Duplicati: what follows the end of a name on its line is a remark.</summary>
    private string[] Types(string file)
    {
        try
        {
            return [.. File.ReadLines(file).Select(line => line.Trim().Split(' ', '\t')[0]).Where(type => type.StartsWith('.'))];
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new UsageException($"{storedTypes.Name}: {file} cannot be read ({failure.Message})");
        }
    }
}
