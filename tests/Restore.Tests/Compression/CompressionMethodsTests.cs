using Restore.Compression;
using Restore.Compression.Methods;
using Restore.Compression.Zip;

namespace Restore.Tests.Compression;

public sealed class CompressionMethodsTests
{
    public static TheoryData<ushort> Ids => [.. CompressionMethods.All.Select(method => method.Id)];

    [Fact]
    public void A_method_has_one_row_by_its_number()
    {
        Assert.Equal(CompressionMethods.All.Count, CompressionMethods.All.DistinctBy(method => method.Id).Count());
        Assert.Equal(CompressionMethods.All.Count, CompressionMethods.All.DistinctBy(method => method.Name).Count());
        Assert.Equal("Stored", CompressionMethods.Find(ZipMethod.Stored)?.Name);
        Assert.Same(CompressionMethods.Deflate, CompressionMethods.Find(ZipMethod.Deflate));
        Assert.Null(CompressionMethods.Find(97));
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public void A_method_decodes_or_its_refusal_says_what_would(ushort id)
    {
        CompressionMethod method = CompressionMethods.Find(id)!;
        Exception? refusal = Record.Exception(() => Volumes.Managed.CreateDecoder(id).Dispose());

        Assert.Equal(method.FindDecoder(SystemLibraries.None) is null, refusal is UnsupportedMethodException);
        Assert.Contains($"{method.Name} ({id})", CompressionMethod.Unsupported(id).Message, StringComparison.Ordinal);
        Assert.Contains(method.Library?.DebianPackage ?? "no library", CompressionMethod.Unsupported(id).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_library_that_a_row_names_is_what_decodes_the_method() => Assert.All(
        CompressionMethods.All.Where(method => method.Library is not null),
        method => Assert.StartsWith(method.Library!.Value.Name + " ", method.Decoder(SystemLibraries.Find())?.By, StringComparison.Ordinal));
}
