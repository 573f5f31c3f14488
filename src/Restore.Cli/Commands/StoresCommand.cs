using Restore.Cli.Options;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore stores</c>: the kinds of stores, and their options.</summary>
internal sealed class StoresCommand(SharedOptions shared) : ICliCommand
{
    private static readonly StoreRegistry Stores = HostStores.Registry;

    public string Name => "stores";

    public string Summary => "list the kinds of stores, their URLs and their options";

    public IReadOnlyList<Operand> Operands =>
        [new Operand("[<scheme>]", "only the store of this URL scheme") { Words = [.. Stores.Providers.SelectMany(store => store.Schemes)] }];

    public IReadOnlyList<OptionGroup> Options => [shared.Program];

    public IReadOnlyList<string> Examples => ["restore stores", "restore stores s3"];

    public Task<int> RunAsync(CommandContext context)
    {
        foreach (var store in Chosen(context.Request.Operands))
        {
            StoreText.Write(context.Output, store);
        }

        StoreText.WriteCommon(context.Output, Stores.CommonOptions);
        return Task.FromResult(ExitCodes.Complete);
    }

    private static IReadOnlyList<IStoreProvider> Chosen(IReadOnlyList<string> operands) => operands switch
    {
        [] => Stores.Providers,
        [var scheme] when Stores.FindProvider(scheme) is { } store => [store],
        _ => throw new UsageException($"Give one of the URL schemes: {string.Join(", ", Stores.Providers.SelectMany(store => store.Schemes))}"),
    };
}
