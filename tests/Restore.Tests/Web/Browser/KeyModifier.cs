namespace Restore.Tests.Web.Browser;

/// <summary>A key that is held, by the numbers of the DevTools protocol.</summary>
internal enum KeyModifier
{
    None = 0,
    Control = 2,
    Shift = 8,
}
