using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Restore;
using Restore.DependencyInjection;

// The namespace of the container, so that the methods are there where services are registered.
namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Registers backups as services.</summary>
public static class RestoreServiceCollectionExtensions
{
    /// <summary>
    /// Registers a singleton <see cref="BackupSource"/>, which opens the backup when it is first
    /// needed. The options start with the <see cref="ILoggerFactory"/> and the
    /// <see cref="TimeProvider"/> of the container, if it has them, and with the library's own
    /// stores and each <see cref="IStoreProvider"/> of the container.
    /// </summary>
    /// <param name="services">The services.</param>
    /// <param name="location">A folder, or a URL in Duplicati's form.</param>
    /// <param name="configure">Changes the options; null to leave them as they are.</param>
    /// <param name="serviceKey">The key of the service, in a program with several backups; null for
    /// none.</param>
    /// <returns>The services.</returns>
    public static IServiceCollection AddBackup(
        this IServiceCollection services,
        string location,
        Func<IServiceProvider, BackupOptions, BackupOptions>? configure = null,
        object? serviceKey = null
    )
    {
        ArgumentException.ThrowIfNullOrEmpty(location);
        return AddBackup(services, _ => location, configure, serviceKey);
    }

    /// <summary>
    /// Registers a singleton <see cref="BackupSource"/> whose location is known only when the
    /// services are created, for example from a configuration.
    /// </summary>
    /// <param name="services">The services.</param>
    /// <param name="location">Finds the location: a folder, or a URL in Duplicati's form.</param>
    /// <param name="configure">Changes the options; null to leave them as they are.</param>
    /// <param name="serviceKey">The key of the service, in a program with several backups; null for
    /// none.</param>
    /// <returns>The services.</returns>
    public static IServiceCollection AddBackup(
        this IServiceCollection services,
        Func<IServiceProvider, string> location,
        Func<IServiceProvider, BackupOptions, BackupOptions>? configure = null,
        object? serviceKey = null
    )
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(location);

        // The first registration counts, as with the other Add methods of libraries.
        services.TryAddKeyedSingleton(serviceKey, (provider, _) => Open(provider, location, configure));
        return services;
    }

    private static BackupSource Open(
        IServiceProvider provider,
        Func<IServiceProvider, string> location,
        Func<IServiceProvider, BackupOptions, BackupOptions>? configure
    )
    {
        BackupOptions options = new();
        options = options with
        {
            LoggerFactory = provider.GetService<ILoggerFactory>() ?? options.LoggerFactory,
            TimeProvider = provider.GetService<TimeProvider>() ?? options.TimeProvider,
            Stores = provider
                .GetServices<IStoreProvider>()
                .Aggregate(options.Stores, (stores, store) => stores.With(store)),
        };
        return new BackupSource(location(provider), configure?.Invoke(provider, options) ?? options);
    }
}
