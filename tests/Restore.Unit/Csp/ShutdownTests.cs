using Restore.Csp;

namespace Restore.Tests.Csp;

/// <summary>
/// Pipelines of 3 to 6 stages with fan-out: whatever happens to any process at any time, everything
/// ends, and nothing is lost or leaked.
/// </summary>
public sealed class ShutdownTests
{
    private const int MessageCount = 30;

    /// <summary>Copies of each stage, from the source to the sink.</summary>
    private static readonly int[][] Shapes =
    [
        [1, 3, 1],
        [1, 1, 4, 2],
        [1, 2, 3, 1, 2],
        [1, 4, 1, 3, 2, 1],
    ];

    public enum Trouble
    {
        Throws,
        IsCancelled,
        IsSlow,
    }

    public enum Moment
    {
        Start,
        Middle,
        End,
    }

    public static TheoryData<int, int, Trouble, Moment> Matrix()
    {
        TheoryData<int, int, Trouble, Moment> matrix = [];
        foreach ((int shape, int[] stages) in Shapes.Index())
        {
            for (int stage = 0; stage < stages.Length; stage++)
            {
                foreach (Trouble trouble in Enum.GetValues<Trouble>())
                {
                    matrix.AddRange([.. Enum.GetValues<Moment>().Select(moment => (shape, stage, trouble, moment))]);
                }
            }
        }

        return matrix;
    }

    [Theory]
    [MemberData(nameof(Matrix))]
    public async Task Everything_ends_and_every_message_is_disposed_once_when_a_process(
        int shape,
        int stage,
        Trouble trouble,
        Moment moment
    )
    {
        foreach (int capacity in new[] { 1, 4 })
        {
            using CancellationTokenSource cancellation = new();
            TroubledPipeline pipeline = new(Shapes[shape], capacity, MessageCount, stage, moment, MakeTroubleAsync);

            Task run = pipeline.RunAsync(cancellation.Token).Soon();
            switch (trouble)
            {
                case Trouble.Throws:
                    ProcessFailedException failed = await Assert.ThrowsAsync<ProcessFailedException>(() => run);
                    Assert.Equal(($"stage {stage}", "trouble"), (failed.Process, failed.InnerException!.Message));
                    break;
                case Trouble.IsCancelled:
                    await Assert.ThrowsAnyAsync<OperationCanceledException>(() => run);
                    break;
                default:
                    await run;
                    Assert.Equal(Enumerable.Range(0, MessageCount), pipeline.Arrived.Order());
                    break;
            }

            Assert.Equal(0, pipeline.Running);
            pipeline.Ledger.AssertEachDisposedOnce();

            Task MakeTroubleAsync() =>
                trouble switch
                {
                    Trouble.Throws => throw new InvalidDataException("trouble"),
                    Trouble.IsCancelled => cancellation.CancelAsync(),
                    _ => Task.Delay(20, CancellationToken.None),
                };
        }
    }
}
