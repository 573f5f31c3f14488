using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>What a backup takes from its sources.</summary>
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

    /// <exception cref="UsageException">An attribute has another name.</exception>
    /// <exception cref="RestoreException">A filter cannot be used.</exception>
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
