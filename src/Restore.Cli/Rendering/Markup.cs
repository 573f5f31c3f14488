using System.Net;

namespace Restore.Cli.Rendering;

/// <summary>Texts and numbers in the form of HTML and SVG.</summary>
internal static class Markup
{
    public static string Text(string text) => WebUtility.HtmlEncode(SafeText.Escape(text));

    /// <summary>A coordinate: a tenth of a pixel is exact enough.</summary>
    public static string Number(double value) => value.ToString("0.#", CultureInfo.InvariantCulture);
}
