using System.Runtime.CompilerServices;

namespace Restore.Tests.Support;

/// <summary>A sink in memory. A test decides which calls fail, and sees every call.</summary>
internal sealed class ScriptedSink(params Exception?[] script) : IVolumeSink
{
    private readonly Lock gate = new();
    private readonly Queue<Exception?> steps = new(script);

    public Dictionary<string, byte[]> Files { get; } = [];

    public List<string> Calls { get; } = [];

    public string DisplayName => "scripted://sink";

    public bool IsLocal { get; init; }

    public bool CanDelete { get; init; } = true;

    /// <summary>
    /// Whether a put that fails has put the file nevertheless: its answer was lost.
    /// </summary>
    public bool LosesAnswers { get; init; }

    public async IAsyncEnumerable<StoredFile> ListAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        await Task.Yield();
        Step("list", () => { });
        foreach ((string name, byte[] content) in Files)
        {
            yield return new StoredFile(name, content.Length);
        }
    }

    public ValueTask PutAsync(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken = default)
    {
        Step($"put {name}", () => Files.Add(name, content.ToArray()));
        return ValueTask.CompletedTask;
    }

    public ValueTask DeleteAsync(string name, CancellationToken cancellationToken = default)
    {
        Step($"delete {name}", () => Files.Remove(name));
        return ValueTask.CompletedTask;
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private void Step(string call, Action action)
    {
        lock (gate)
        {
            Calls.Add(call);
            Exception? failure = steps.Count > 0 ? steps.Dequeue() : null;
            if (failure is null || LosesAnswers)
            {
                action();
            }

            if (failure is not null)
            {
                throw failure;
            }
        }
    }
}
