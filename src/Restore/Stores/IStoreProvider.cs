namespace Restore.Stores;

/// <summary>
/// A kind of store: declares its URL schemes and its options, and opens stores. Once it is in a
/// <see cref="StoreRegistry"/>, everything follows from these declarations: which URLs open it,
/// which options are accepted, error texts, help and documentation. Stateless and safe for
/// concurrent use.
/// </summary>
public interface IStoreProvider
{
    /// <summary>The name of the kind of store, for help and documentation: "WebDAV".</summary>
    string Name { get; }

    /// <summary>What it reaches, in a few words, for help and documentation.</summary>
    string Summary { get; }

    /// <summary>
    /// The URL schemes that open it, in lower case and without <c>://</c>; at least one. No other
    /// provider of a registry has one of them.
    /// </summary>
    IReadOnlyList<string> Schemes { get; }

    /// <summary>
    /// The form of its locations, for help and documentation: "webdav://host/folder".
    /// </summary>
    IReadOnlyList<string> Locations { get; }

    /// <summary>
    /// The options it reads, in addition to the options that every remote store has
    /// (<see cref="StoreRegistry.CommonOptions"/>).
    /// </summary>
    IReadOnlyList<StoreOption> Options { get; }

    /// <summary>
    /// Options that a URL made for backups may have, and that have no meaning for reading: accepted
    /// without effect. A name that ends in <c>*</c> stands for all names with that start.
    /// </summary>
    IReadOnlyList<string> IgnoredOptions => [];

    /// <summary>Opens a store without sending a request; the caller disposes the store.</summary>
    /// <param name="context">The store to open.</param>
    /// <exception cref="RestoreException">The URL or an option cannot be used.</exception>
    IVolumeStore Open(StoreContext context);

    /// <summary>
    /// Opens a store for writing without sending a request; the caller disposes the sink. By
    /// default a store can only be read.
    /// </summary>
    /// <param name="context">The store to open, with the options that <see cref="Open"/>
    /// gets.</param>
    /// <exception cref="RestoreException">The store cannot be written, or the URL or an option
    /// cannot be used.</exception>
    IVolumeSink OpenSink(StoreContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        throw new RestoreException(
            RestoreErrorCode.StoreReadOnly,
            $"Nothing can be written to {Name} stores",
            context.Url.DisplayName
        );
    }
}
