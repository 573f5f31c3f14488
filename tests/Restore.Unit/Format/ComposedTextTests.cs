using Restore.Format.Selection;

namespace Restore.Tests.Format;

/// <summary>
/// The composed form of Unicode, which the program makes itself: the one of .NET changes nothing
/// without the tables of the system.
/// </summary>
public class ComposedTextTests
{
    [Theory]
    [InlineData("plain", "plain")]
    [InlineData("\u00e9", "\u00e9")]
    [InlineData("e\u0301", "\u00e9")]
    [InlineData("e\u0323\u0302", "\u1ec7")]
    [InlineData("e\u0302\u0323", "\u1ec7")]
    [InlineData("\u1e0b\u0323", "\u1e0d\u0307")]
    [InlineData("\u212b", "\u00c5")]
    [InlineData("\u1112\u1161\u11ab", "\ud55c")]
    [InlineData("\u1112\u1161", "\ud558")]
    [InlineData("\ud558\u11ab", "\ud55c")]
    [InlineData("\u304b\u3099", "\u304c")]
    [InlineData("\u0958", "\u0915\u093c")]
    [InlineData("\uf900", "\u8c48")]
    [InlineData("\ud834\udd5e", "\ud834\udd57\ud834\udd65")]
    [InlineData("\ud804\udc99\ud804\udcba", "\ud804\udc9a")]
    [InlineData("a\u0301\u0301", "\u00e1\u0301")]
    [InlineData("\u0301e", "\u0301e")]
    public void A_text_has_one_composed_form(string text, string composed)
    {
        Assert.Equal(composed, ComposedText.Of(text));
        Assert.Equal(composed, ComposedText.Of(composed));
    }

    [Fact]
    public void A_text_that_is_no_sound_Unicode_stays_as_it_is()
    {
        string broken = "a\ud800b\udc00" + "e\u0301";
        Assert.Equal("a\ud800b\udc00\u00e9", ComposedText.Of(broken));
    }

    [Fact]
    public void A_syllable_of_each_kind_comes_back_from_its_letters()
    {
        for (int syllable = 0xAC00; syllable < 0xD7A4; syllable++)
        {
            Assert.True(Hangul.TryDecompose(syllable, out int first, out int second));
            Assert.True(Hangul.TryCompose(first, second, out int composed));
            Assert.Equal(syllable, composed);
        }

        Assert.False(Hangul.TryDecompose(0xD7A4, out _, out _));
    }
}
