using Restore.Storage.Ftp;
using Restore.Storage.Local;
using Restore.Storage.Rclone;
using Restore.Storage.WebDav;

namespace Restore.Stores;

/// <summary>
/// The kinds of stores that URLs can name. Immutable: adding one creates another registry.
/// </summary>
public sealed class StoreRegistry
{
    private StoreRegistry(IReadOnlyList<IStoreProvider> providers) => Providers = providers;

    /// <summary>
    /// The stores of this library: local folders, WebDAV, FTP and rclone. Others are packages:
    /// <c>Restore.Sftp</c>, <c>Restore.S3</c>, <c>Restore.Azure</c>.
    /// </summary>
    public static StoreRegistry Default { get; } =
        new([new LocalStoreProvider(), new WebDavStoreProvider(), new FtpStoreProvider(), new RcloneStoreProvider()]);

    /// <summary>The kinds of stores, in the order they were added.</summary>
    public IReadOnlyList<IStoreProvider> Providers { get; }

    /// <summary>
    /// The options that every remote store has: user, password, retries, timeout, rate.
    /// </summary>
    public IReadOnlyList<StoreOption> CommonOptions => Storage.CommonOptions.All;

    /// <summary>All options that any of the stores reads, each name once.</summary>
    public IEnumerable<StoreOption> Options =>
        CommonOptions.Concat(Providers.SelectMany(provider => provider.Options)).DistinctBy(option => option.Name);

    /// <summary>A registry with one more kind of store.</summary>
    /// <exception cref="ArgumentException">The provider has no scheme, or a scheme that another
    /// provider already has.</exception>
    public StoreRegistry With(IStoreProvider provider)
    {
        ArgumentNullException.ThrowIfNull(provider);
        if (provider.Schemes.Count == 0)
        {
            throw new ArgumentException($"The store {provider.Name} declares no scheme", nameof(provider));
        }

        string? taken = provider.Schemes.FirstOrDefault(scheme => FindProvider(scheme) is not null);
        return taken is null
            ? new StoreRegistry([.. Providers, provider])
            : throw new ArgumentException(
                $"The stores {FindProvider(taken)!.Name} and {provider.Name} both declare the scheme {taken}",
                nameof(provider)
            );
    }

    /// <summary>The kind of store for a URL scheme; null if no store declares the scheme.</summary>
    public IStoreProvider? FindProvider(string scheme) =>
        Providers.FirstOrDefault(provider => provider.Schemes.Contains(scheme, StringComparer.OrdinalIgnoreCase));

    /// <summary>The option with this name or other name; null if no store has it.</summary>
    public StoreOption? FindOption(string name) => Options.FirstOrDefault(option => option.IsNamed(name));

    /// <summary>
    /// Whether a store accepts an option with this name without effect
    /// (<see cref="IStoreProvider.IgnoredOptions"/>).
    /// </summary>
    public bool IsIgnored(string name) =>
        Providers
            .SelectMany(provider => provider.IgnoredOptions)
            .Any(ignored =>
                ignored.EndsWith('*')
                    ? name.StartsWith(ignored[..^1], StringComparison.OrdinalIgnoreCase)
                    : name.Equals(ignored, StringComparison.OrdinalIgnoreCase)
            );
}
