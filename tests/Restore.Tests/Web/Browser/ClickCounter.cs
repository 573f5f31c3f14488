namespace Restore.Tests.Web.Browser;

/// <summary>Clicks as a person does, and counts the clicks.</summary>
internal sealed class ClickCounter(Tab tab)
{
    public int Clicks { get; private set; }

    /// <summary>
    /// A person clicks what stands still: a preview or a history that arrives moves what is below
    /// it.
    /// </summary>
    public async Task ClickAsync(string selector, string? text = null)
    {
        Clicks++;
        const string Place =
            "JSON.stringify([...document.querySelectorAll('#details *')].map(one => one.getBoundingClientRect().y))";
        string before = "";
        string now = (string?)await tab.EvalAsync(Place) ?? "";
        while (now != before)
        {
            await Task.Delay(250, TestContext.Current.CancellationToken);
            (before, now) = (now, (string?)await tab.EvalAsync(Place) ?? "");
        }

        await tab.ClickAsync(selector, text);
    }
}
