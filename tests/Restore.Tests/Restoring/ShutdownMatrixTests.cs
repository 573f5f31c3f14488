namespace Restore.Tests.Restoring;

/// <summary>
/// However a process of the flow ends, all others end too, everything is released, no unfinished
/// file is left, and a second run completes.
/// </summary>
public sealed class ShutdownMatrixTests
{
    private const string Backup = "aes-100kb";

    private static readonly string[] Processes =
    [
        "VolumeManager",
        "VolumeDownloader",
        "VolumeDecryptor",
        "VolumeDecompressor",
        "BlockManager",
        "FileProcessor",
        "Reporter",
    ];

    private static readonly Lazy<Task<Dictionary<string, int>>> Messages = new(CountMessagesAsync);

    public static TheoryData<string, Trouble, Moment> Cases() => TroubleCase.All(Processes);

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task A_process_in_trouble_ends_the_run_in_good_order(string process, Trouble trouble, Moment moment)
    {
        using NetworkRig rig = new(Backup);
        int last = (await Messages.Value)[process];
        using TroubleCase expected = new(process, trouble, moment, last);
        Troublemaker maker = new(process, expected.At, expected.Act);

        Exception? thrown = await Record.ExceptionAsync(() =>
            rig.RunAsync(maker.MeterOf, cancellationToken: expected.CancellationToken)
                .WaitAsync(TimeSpan.FromSeconds(60))
        );

        expected.AssertRight(thrown);
        Assert.InRange(maker.Passed, moment == Moment.Start ? 1 : (last + 1) / 2, last);
        Assert.Equal(0, maker.Running);
        rig.AssertAllGivenBack();
        rig.AssertNothingHalfDone();
        await rig.RunAsync(_ => null);
        rig.AssertWhole();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task A_gentle_stop_leaves_whole_files_only_and_a_second_run_completes(int volume)
    {
        using NetworkRig rig = new(Backup);
        using CancellationTokenSource stop = new();
        Troublemaker maker = new("VolumeDecompressor", volume, stop.Cancel);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            rig.RunAsync(maker.MeterOf, stopToken: stop.Token).WaitAsync(TimeSpan.FromSeconds(60))
        );
        Assert.Equal(0, maker.Running);
        rig.AssertAllGivenBack();
        rig.AssertNothingHalfDone();
        RestoreReport second = await rig.RunAsync(_ => null);
        rig.AssertWhole();
        Assert.True(second.FilesUnchanged > 0, "What the first run finished is not done again.");
    }

    private static async Task<Dictionary<string, int>> CountMessagesAsync()
    {
        Dictionary<string, int> messages = [];
        foreach (string process in Processes)
        {
            using NetworkRig rig = new(Backup);
            Troublemaker counter = new(process, int.MaxValue, () => { });
            await rig.RunAsync(counter.MeterOf);
            messages[process] = counter.Passed;
            Assert.True(
                counter.Passed >= 3,
                $"{process} has {counter.Passed} messages only: start, middle and end would be one."
            );
        }

        return messages;
    }
}
