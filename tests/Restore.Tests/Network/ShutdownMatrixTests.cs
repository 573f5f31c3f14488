using Restore.Csp;

namespace Restore.Tests.Network;

/// <summary>What goes wrong.</summary>
public enum Trouble
{
    Throws,
    FailsTheRun,
    IsCancelled,
    IsSlow,
}

/// <summary>When it goes wrong.</summary>
public enum Moment
{
    Start,
    Middle,
    End,
}

/// <summary>However a process of the flow ends, all others end too, everything is given back, nothing half done is left, and a second run completes.</summary>
public sealed class ShutdownMatrixTests
{
    private const string Backup = "aes-100kb";

    private static readonly string[] Processes =
        ["VolumeManager", "VolumeDownloader", "VolumeDecryptor", "VolumeDecompressor", "BlockManager", "FileProcessor", "Reporter"];

    private static readonly Lazy<Task<Dictionary<string, int>>> Messages = new(CountMessagesAsync);

    public static TheoryData<string, Trouble, Moment> Cases()
    {
        TheoryData<string, Trouble, Moment> cases = [];
        foreach ((string process, Trouble trouble, Moment moment) in
            from process in Processes from trouble in Enum.GetValues<Trouble>() from moment in Enum.GetValues<Moment>() select (process, trouble, moment))
        {
            cases.Add(process, trouble, moment);
        }

        return cases;
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task A_process_in_trouble_ends_the_run_in_good_order(string process, Trouble trouble, Moment moment)
    {
        using NetworkRig rig = new(Backup);
        using CancellationTokenSource cancel = new();
        using ManualResetEventSlim never = new();
        int last = (await Messages.Value)[process];
        RestoreException failure = new(RestoreErrorKind.TargetNotWritable, "The target is full");
        Troublemaker maker = new(process, moment switch { Moment.Start => 1, Moment.Middle => (last + 1) / 2, _ => last }, () =>
        {
            switch (trouble)
            {
                case Trouble.Throws:
                    throw new TroubleException();
                case Trouble.FailsTheRun:
                    throw failure;
                case Trouble.IsCancelled:
                    cancel.Cancel();
                    break;
                default:
                    never.Wait(TimeSpan.FromMilliseconds(200));
                    break;
            }
        });

        Exception? thrown = await Record.ExceptionAsync(() => rig.RunAsync(maker.MeterOf, cancellationToken: cancel.Token).WaitAsync(TimeSpan.FromSeconds(60)));

        AssertRight(thrown, process, trouble, moment, failure);
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
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => rig.RunAsync(maker.MeterOf, stopToken: stop.Token).WaitAsync(TimeSpan.FromSeconds(60)));
        Assert.Equal(0, maker.Running);
        rig.AssertAllGivenBack();
        rig.AssertNothingHalfDone();
        RestoreReport second = await rig.RunAsync(_ => null);
        rig.AssertWhole();
        Assert.True(second.FilesUnchanged > 0, "What the first run finished is not done again.");
    }

    private static void AssertRight(Exception? thrown, string process, Trouble trouble, Moment moment, RestoreException failure)
    {
        switch (trouble)
        {
            case Trouble.Throws:
                RestoreException fault = Assert.IsType<RestoreException>(thrown);
                Assert.Equal((RestoreErrorKind.Failed, process), (fault.Kind, fault.Where));
                Assert.IsType<TroubleException>(Assert.IsType<ProcessFailedException>(fault.InnerException).InnerException);
                break;
            case Trouble.FailsTheRun:
                Assert.Same(failure, thrown);
                break;
            case Trouble.IsCancelled when moment != Moment.End || thrown is not null:
                // At the very end the run may be over before the cancellation reaches it.
                Assert.IsAssignableFrom<OperationCanceledException>(thrown);
                break;
            default:
                Assert.Null(thrown);
                break;
        }
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
            Assert.True(counter.Passed >= 3, $"{process} has {counter.Passed} messages only: start, middle and end would be one.");
        }

        return messages;
    }
}
