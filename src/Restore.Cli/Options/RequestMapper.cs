using System.CommandLine;
using System.CommandLine.Parsing;

namespace Restore.Cli.Options;

/// <summary>Maps a parsed command line to what the library takes.</summary>
internal static class RequestMapper
{
    /// <exception cref="UsageException">Options contradict each other, or something is missing.</exception>
    /// <exception cref="RestoreException">A filter cannot be used.</exception>
    public static HostRequest Map(
        ParseResult parsed, HostOptions options, IReadOnlyList<string> operands, IReadOnlyDictionary<string, string> storeOptions, CliEnvironment environment)
    {
        if (operands.Count == 0)
        {
            throw new UsageException("Say where the backup is: a folder or a storage URL.");
        }

        if (parsed.GetValue(options.Version) is not null && parsed.GetValue(options.Time) is not null)
        {
            throw new UsageException("--version and --time both say which version; give one of them.");
        }

        var rules = Rules(parsed, options);
        return new HostRequest
        {
            Storage = operands[0],
            Operands = [.. operands.Skip(1)],
            Rules = rules,
            Version = parsed.GetValue(options.Version),
            Time = parsed.GetValue(options.Time),
            Backup = BackupOptionsOf(parsed, options, storeOptions, environment),
            Restore = RestoreOptionsOf(parsed, options) with { Filter = EntryFilter.Parse(operands.Skip(1), rules) },
            DryRun = parsed.GetValue(options.DryRun) || parsed.GetValue(options.ListVolumes),
            ListVolumes = parsed.GetValue(options.ListVolumes),
            EgressPricePerGigabyte = parsed.GetValue(options.EgressPrice),
            Quiet = parsed.GetValue(options.Quiet),
            Verbose = parsed.GetValue(options.Verbose),
            Json = parsed.GetValue(options.Json),
            InternalProfiling = parsed.GetValue(options.InternalProfiling),
            LogFile = parsed.GetValue(options.LogFile),
        };
    }

    private static BackupOptions BackupOptionsOf(
        ParseResult parsed, HostOptions options, IReadOnlyDictionary<string, string> storeOptions, CliEnvironment environment)
    {
        var defaults = new BackupOptions();
        return defaults with
        {
            Passphrase = PassphraseSource.Given(parsed.GetValue(options.Passphrase), parsed.GetValue(options.PassphraseFile), environment),
            Prefix = parsed.GetValue(options.Prefix),
            DatabasePath = parsed.GetValue(options.DatabasePath),
            MaxKeyIterations = parsed.GetValue(options.MaxKeyIterations) ?? defaults.MaxKeyIterations,
            GpgProgramPath = parsed.GetValue(options.GpgProgramPath),
            CacheDirectory = parsed.GetValue(options.CacheDirectory) is { Length: > 0 } folder ? folder : null,
            Stores = HostStores.Registry,
            StoreOptions = WithVariables(storeOptions, environment),
            TimeProvider = environment.Clock,
        };
    }

    /// <summary>Duplicati takes the credentials of a store from these variables, too.</summary>
    private static Dictionary<string, string> WithVariables(IReadOnlyDictionary<string, string> storeOptions, CliEnvironment environment)
    {
        var options = new Dictionary<string, string>(storeOptions);
        foreach (var (variable, name) in new[] { ("AUTH_USERNAME", "auth-username"), ("AUTH_PASSWORD", "auth-password") })
        {
            if (environment.Variable(variable) is { Length: > 0 } value)
            {
                options.TryAdd(name, value);
            }
        }

        return options;
    }

    private static RestoreOptions RestoreOptionsOf(ParseResult parsed, HostOptions options)
    {
        var defaults = new RestoreOptions();
        return defaults with
        {
            Target = parsed.GetValue(options.Target) is { Length: > 0 } target ? target : null,
            Overwrite = parsed.GetValue(options.Overwrite),
            SkipMetadata = parsed.GetValue(options.SkipMetadata),
            RestorePermissions = parsed.GetValue(options.RestorePermissions),
            DontCompressRestorePaths = parsed.GetValue(options.DontCompressRestorePaths),
            AllowRestoreOutsideTargetDirectory = parsed.GetValue(options.AllowOutsideTarget),
            RestoreWithLocalBlocks = parsed.GetValue(options.WithLocalBlocks),
            TrustTimes = parsed.GetValue(options.TrustTimes),
            Profile = parsed.GetValue(options.InternalProfiling),
            Legacy = parsed.GetValue(options.Legacy),
            PreallocateSize = parsed.GetValue(options.PreallocateSize),
            FileProcessors = parsed.GetValue(options.FileProcessors),
            VolumeDownloaders = parsed.GetValue(options.VolumeDownloaders),
            VolumeDecryptors = parsed.GetValue(options.VolumeDecryptors),
            VolumeDecompressors = parsed.GetValue(options.VolumeDecompressors),
            ChannelBufferSize = parsed.GetValue(options.ChannelBufferSize),
            CacheMaxBytes = parsed.GetValue(options.CacheMax) ?? defaults.CacheMaxBytes,
            CacheEvictPercent = parsed.GetValue(options.CacheEvict) ?? defaults.CacheEvictPercent,
            RangeReads = parsed.GetValue(options.RangeReads) ?? defaults.RangeReads,
            RequestCostBytes = parsed.GetValue(options.RequestCost),
            VolumeCacheHintBytes = parsed.GetValue(options.VolumeCacheHint),
        };
    }

    /// <summary>The parser keeps each option's values apart; their order among each other, which decides, is only in the tokens.</summary>
    private static List<FilterRule> Rules(ParseResult parsed, HostOptions options)
    {
        var rules = new List<FilterRule>();
        Option? last = null;
        foreach (var token in parsed.Tokens)
        {
            if (token.Type == TokenType.Option)
            {
                last = token.Value == options.Include.Name ? options.Include : token.Value == options.Exclude.Name ? options.Exclude : null;
            }
            else if (token.Type == TokenType.Argument && last is not null)
            {
                rules.Add(new FilterRule(last == options.Include, token.Value));
            }
            else
            {
                last = null;
            }
        }

        return rules;
    }
}
