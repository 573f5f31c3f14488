using Restore.Cli.Help;

namespace Restore.Cli.Commands;

internal sealed class StoresCommand(SharedOptions shared) : ICliCommand
{
    private static readonly StoreRegistry Stores = HostStores.Registry;

    public string Name => "stores";

    public string Summary => "list the kinds of stores, their URLs and their options";

    public IReadOnlyList<Operand> Operands =>
        [
            new Operand("[<scheme>]", "only the store of this URL scheme")
            {
                Words = [.. Stores.Providers.SelectMany(store => store.Schemes)],
            },
        ];

    public IReadOnlyList<OptionGroup> Options => [shared.Program];

    public IReadOnlyList<string> Examples => ["restore stores", "restore stores s3"];

    public Task<int> RunAsync(CommandContext context)
    {
        using StringWriter text = new();
        Write(text, Chosen(context.Request.Operands));
        HelpLines.WriteFitted(text.ToString(), context.Environment);
        return Task.FromResult(ExitCodes.Complete);
    }

    public static void Write(TextWriter output, IReadOnlyList<IStoreProvider> stores)
    {
        foreach (var store in stores)
        {
            StoreText.Write(output, store);
        }

        StoreText.WriteCommon(output, Stores.CommonOptions);
    }

    private static IReadOnlyList<IStoreProvider> Chosen(IReadOnlyList<string> operands) =>
        operands switch
        {
            [] => Stores.Providers,
            [var scheme] when Stores.FindProvider(scheme) is { } store => [store],
            _ => throw new UsageException(
                $"Give one of the URL schemes: {string.Join(", ", Stores.Providers.SelectMany(store => store.Schemes))}"
            ),
        };
}
