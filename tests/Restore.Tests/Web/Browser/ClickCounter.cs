namespace Restore.Tests.Web.Browser;

/// <summary>Clicks as a person does, and counts the clicks.</summary>
internal sealed class ClickCounter(Tab tab)
{
    public int Clicks { get; private set; }

    public Task ClickAsync(string selector, string? text = null)
    {
        Clicks++;
        return tab.ClickAsync(selector, text);
    }
}
