using Restore.Catalog;
using Restore.Csp;
using Restore.Planning;
using Restore.Planning.Scanning;
using Restore.Reading;
using Restore.Restoring.Legacy;
using Restore.Volumes;

namespace Restore.Restoring;

/// <summary>The parts that make and execute plans over an opened backup, chosen by the options.</summary>
internal sealed class Engine
{
    /// <summary>Creates the parts.</summary>
    /// <param name="session">The opened backup.</param>
    /// <param name="options">The options.</param>
    /// <param name="settings">The tuning options, resolved.</param>
    /// <param name="meterOf">Creates the meter of a copy of a process (by its name); null measures if the options ask for a profile.</param>
    public Engine(RestoreSession session, RestoreOptions options, FlowSettings settings, Func<string, Meter?>? meterOf = null)
    {
        TimeProvider time = session.Options.TimeProvider;
        meterOf ??= _ => options.Profile ? new Meter(time) : null;
        bool isLegacy = options.Legacy;
        Settings = settings;
        Ranges = RangePolicy.Resolve(options.Tuning, session.Store, readsParts: !isLegacy, keepsIndexes: session.Cache is not null);
        LeavesBlocksToFiles = !isLegacy;
        Blocks = new BlockStream(session.Loader, Ranges, settings.Reading, meterOf, time);
        Scan = new ScanNetwork(settings.Scanning, meterOf);
        Flow = isLegacy ? new SequentialFlow(session.Loader) : new RestoreNetwork(settings, Blocks, meterOf);
    }

    public FlowSettings Settings { get; }

    public RangePolicy Ranges { get; }

    /// <summary>Whether the flow verifies files as wholes and leaves their blocks alone. The legacy flow verifies both.</summary>
    public bool LeavesBlocksToFiles { get; }

    public BlockStream Blocks { get; }

    public ScanNetwork Scan { get; }

    public IFlow Flow { get; }
}
