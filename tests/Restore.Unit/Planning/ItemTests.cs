using Restore.Planning;

namespace Restore.Tests.Planning;

/// <summary>The items of an entry: blocks of the content, then blocks of the metadata.</summary>
public sealed class ItemTests
{
    [Theory]
    [InlineData(0, 0, "")]
    [InlineData(2, 0, "c0 c1")]
    [InlineData(0, 2, "m0 m1")]
    [InlineData(3, 1, "c0 c1 c2 m0")]
    public void Content_comes_before_metadata(int contentItems, int metadataItems, string expected)
    {
        ItemRange range = new(contentItems, metadataItems);
        List<Item> items = [];
        foreach (Item item in range)
        {
            items.Add(item);
        }

        Assert.Equal(expected, string.Join(' ', items.Select(item => $"{(item.IsMetadata ? 'm' : 'c')}{item.Index}")));
        Assert.Equal(items.Count, range.Count);
        Assert.Equal(items.Count == 0 ? Item.End : items[0], range.First);
        Assert.Equal(items.Count == 0 ? Item.End : items[^1], range.Last);
        Assert.All(items.Zip(items.Skip(1)), pair => Assert.True(pair.First < pair.Second && pair.Second <= Item.End));
    }

    [Fact]
    public void A_place_before_the_metadata_is_the_first_item_of_it_when_the_content_is_not_brought() =>
        Assert.Equal(Item.Metadata(0), new ItemRange(0, 3).At(default));
}
