using System.IO.Compression;
using System.Security.Cryptography;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Web.Browser;

/// <summary>
/// restore.html in a browser that gives a page no folder: its files come by an input. WebDriver
/// cannot pick a folder, so each file is given.
/// </summary>
[NeedsPrograms(".ci/install-packages", "firefox-esr", "chromium", "npm")]
public sealed class RestoreHtmlInFirefoxTests(RestoreHtml page) : IClassFixture<RestoreHtml>
{
    [Fact]
    public async Task It_opens_an_encrypted_backup_and_restores_what_is_picked_to_a_zip()
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf("aes-100kb").Single();
        await using Firefox firefox = await Firefox.StartAsync();
        await firefox.GoAsync(new Uri(page.File));
        await firefox.UntilAsync("document.querySelector('#pick')?.disabled === false");
        await firefox.GiveAsync("#files", Directory.GetFiles(fixture.Location));
        await firefox.UntilAsync("!document.querySelector('#ask').hidden");
        await firefox.EvalAsync(
            $"document.querySelector('#passphrase').value = {Tab.Quote(fixture.Options().Passphrase!)}; document.querySelector('#unlock').click()"
        );
        await firefox.UntilAsync(
            "!document.querySelector('#open') && document.querySelectorAll('.version').length === 3"
        );
        await firefox.UntilAsync("document.querySelector('.row:has(.name) .box')");
        foreach (string button in (string[])[".row:has(.name) .box", "#plan", "#start"])
        {
            await firefox.UntilAsync(
                $"document.querySelector('{button}') && !document.querySelector('{button}').disabled"
            );
            await firefox.EvalAsync($"document.querySelector('{button}').click()");
        }

        await firefox.UntilAsync(
            "document.querySelector('#restore h2')?.innerText.includes('Everything is restored and verified')"
        );
        await using ZipArchive archive = await ZipFile.OpenReadAsync(
            await firefox.DownloadAsync(),
            TestContext.Current.CancellationToken
        );
        await using Stream content = await archive
            .Entries.Single(entry => entry.Name == "big.bin")
            .OpenAsync(TestContext.Current.CancellationToken);
        Assert.Equal(
            "d3ee31317149688f85db916b7f0c6250220a6bf44eb643be7d4ac424014f441f",
            Convert.ToHexStringLower(await SHA256.HashDataAsync(content, TestContext.Current.CancellationToken))
        );
    }
}
