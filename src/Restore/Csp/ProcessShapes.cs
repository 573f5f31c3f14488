namespace Restore.Csp;

/// <summary>
/// The three common shapes of a process, wired as the picture is read: name, copies, from, to; and
/// whether it does work that blocks, on threads of the library's own.
/// </summary>
internal static class ProcessShapes
{
    public static void AddSource<TOut>(
        this ProcessNetwork network,
        string name,
        Channel<TOut> output,
        Func<IWriteChannelEnd<TOut>, CancellationToken, Task> body,
        bool onOwnThreads = false
    ) =>
        network.Add(
            name,
            1,
            onOwnThreads,
            ports =>
            {
                IWriteChannelEnd<TOut> to = ports.Write(output);
                return token => body(to, token);
            }
        );

    public static void AddStage<TIn, TOut>(
        this ProcessNetwork network,
        string name,
        int copies,
        Channel<TIn> input,
        Channel<TOut> output,
        Func<IReadChannelEnd<TIn>, IWriteChannelEnd<TOut>, CancellationToken, Task> body,
        bool onOwnThreads = false
    ) =>
        network.Add(
            name,
            copies,
            onOwnThreads,
            ports =>
            {
                IReadChannelEnd<TIn> from = ports.Read(input);
                IWriteChannelEnd<TOut> to = ports.Write(output);
                return token => body(from, to, token);
            }
        );

    public static void AddSink<TIn>(
        this ProcessNetwork network,
        string name,
        int copies,
        Channel<TIn> input,
        Func<IReadChannelEnd<TIn>, CancellationToken, Task> body,
        bool onOwnThreads = false
    ) =>
        network.Add(
            name,
            copies,
            onOwnThreads,
            ports =>
            {
                IReadChannelEnd<TIn> from = ports.Read(input);
                return token => body(from, token);
            }
        );
}
