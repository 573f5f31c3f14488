using Restore.Cli.Rendering;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Web.Browser;

/// <summary>
/// The report of <c>--report</c> in a real browser, on a screen, on a phone and on paper.
/// </summary>
[NeedsPrograms(".ci/install-packages", "chromium")]
public sealed class ReportInBrowserTests
{
    [Fact]
    [NeedsPrograms(".ci/install-servers", Tab.Axe)]
    public async Task The_report_fits_a_phone_follows_dark_colors_prints_in_black_and_axe_finds_nothing_wrong()
    {
        using TempFolder folder = new();
        RestoreReport report = new()
        {
            Version = new BackupVersion(0, DateTimeOffset.UnixEpoch, "duplicati-19700101T000000Z.dlist.zip"),
            Target = "/out",
            Issues =
            [
                .. Enumerable
                    .Range(0, 30)
                    .Select(i => new RestoreIssue(
                        IssueKind.Missing,
                        $"/home/ann/Pictures of {i % 3}/IMG_{i}.jpg",
                        $"All of its {i} bytes are lost"
                    )
                    {
                        LostRanges = [new ByteRange(0, 100 + i)],
                        Volumes = ["duplicati-b0123456789abcdef0123456789abcdef.dblock.zip.aes"],
                    }),
                new RestoreIssue(
                    IssueKind.LeftOut,
                    "/home/ann/venv/python",
                    "The link points out of the target folder"
                ),
                new RestoreIssue(
                    IssueKind.Warning,
                    "duplicati-b0123456789abcdef0123456789abcdef.dblock.zip.aes",
                    "Its directory is damaged"
                ),
            ],
            LostVolumes =
            [
                new LostVolume("duplicati-b0123456789abcdef0123456789abcdef.dblock.zip.aes", false, 30, 3_000),
            ],
            Profile =
            [
                new ProcessProfile(
                    "VolumeDecompressor",
                    2,
                    10,
                    1000,
                    TimeSpan.FromSeconds(1),
                    TimeSpan.FromSeconds(2),
                    TimeSpan.FromSeconds(3)
                ),
            ],
        };
        var history = new RunHistory(new QuietProgressView());
        for (int second = 0; second < 100; second++)
        {
            history.Report(
                new RestoreProgress(
                    RestorePhase.Restoring,
                    0,
                    1,
                    second * 1_000_000L,
                    1,
                    0,
                    1,
                    second * 700_000L,
                    TimeSpan.FromSeconds(second)
                )
            );
        }

        await using (StreamWriter page = new(Path.Join(folder.Path, "report.html")))
        {
            ReportHtml.Write(page, report, TimeProvider.System, history);
        }

        await using Chromium browser = await Chromium.StartAsync();
        await using Tab tab = await browser.OpenAsync(new Uri(Path.Join(folder.Path, "report.html")));
        await tab.UntilAsync("document.querySelector('h1')");
        Assert.Empty(await tab.AxeAsync());
        const string Back = "getComputedStyle(document.body).backgroundColor";
        Assert.Equal("rgb(255, 255, 255)", (string?)await tab.EvalAsync(Back));
        await tab.SetSizeAsync(390, 844);
        Assert.Equal(0, (int)(await tab.EvalAsync("Math.max(0, document.documentElement.scrollWidth - innerWidth)"))!);

        // A word of a table stays in one line.
        Assert.True(
            (bool)
                (
                    await tab.EvalAsync(
                        "[...document.querySelectorAll('.tag, td.word, td.number')].every(one => one.getClientRects().length === 1)"
                    )
                )!
        );
        await tab.SetDarkAsync(true);
        Assert.NotEqual("rgb(255, 255, 255)", (string?)await tab.EvalAsync(Back));
        Assert.Empty(await tab.AxeAsync());
        await tab.SetPrintAsync(true);
        Assert.Equal("rgb(255, 255, 255)", (string?)await tab.EvalAsync(Back));
        Assert.Equal(
            "avoid",
            (string?)await tab.EvalAsync("getComputedStyle(document.querySelector('tbody tr')).breakInside")
        );
    }

    [Theory]
    [InlineData(1280)]
    [InlineData(1030)]
    [InlineData(768)]
    public async Task The_reasons_of_a_drill_have_room_beside_long_names_and_no_place_that_was_not_written(int width)
    {
        using TempFolder folder = new();
        RestoreReport report = new()
        {
            Version = new BackupVersion(0, DateTimeOffset.UnixEpoch, "duplicati-19700101T000000Z.dlist.zip"),
            VerifyOnly = true,
            Target = "",
            Issues =
            [
                .. Enumerable
                    .Range(1, 5)
                    .Select(i => new RestoreIssue(
                        IssueKind.Damaged,
                        $"/photos/A name of a picture {i}.jpg",
                        $"1,02{i} of 4,097 bytes are lost and read as zeros"
                    )
                    {
                        LostRanges = [new ByteRange(1024 * i, (1024 * i) + 1024)],
                        Volumes = [$"duplicati-b0123456789abcdef0123456789abcde{i}.dblock.zip.aes"],
                        TargetPath = $"/photos/A name of a picture {i}.jpg",
                    }),
            ],
        };
        await using (StreamWriter page = new(Path.Join(folder.Path, "report.html")))
        {
            ReportHtml.Write(page, report, TimeProvider.System);
        }

        await using Chromium browser = await Chromium.StartAsync();
        await using Tab tab = await browser.OpenAsync(new Uri(Path.Join(folder.Path, "report.html")));
        await tab.SetSizeAsync(width, 800);
        await tab.UntilAsync($"innerWidth === {width} && document.querySelector('td.why')");
        if (Environment.GetEnvironmentVariable("RESTORE_LOOK") is { Length: > 0 } look)
        {
            await File.WriteAllBytesAsync(
                Path.Join(look, $"report-{width}.png"),
                await tab.ScreenshotAsync(),
                TestContext.Current.CancellationToken
            );
        }

        Assert.Equal(0, (int)(await tab.EvalAsync("Math.max(0, document.documentElement.scrollWidth - innerWidth)"))!);
        Assert.True(
            (bool)
                (
                    await tab.EvalAsync(
                        "[...document.querySelectorAll('td.why')].every(one => one.clientHeight < 4.5 * parseFloat(getComputedStyle(one).lineHeight))"
                    )
                )!
        );
        Assert.Equal(0, (int)(await tab.EvalAsync("document.querySelectorAll('[data-head=At]').length"))!);
    }
}
