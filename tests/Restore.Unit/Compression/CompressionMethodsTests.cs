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
        Assert.Equal("Stored", CompressionMethods.All.Single(method => method.Id == ZipMethod.Stored).Name);
        Assert.Same(
            CompressionMethods.Deflate,
            CompressionMethods.All.Single(method => method.Id == ZipMethod.Deflate)
        );
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public void A_method_has_a_decoder_with_the_libraries_of_the_system_and_without(ushort id)
    {
        using IDisposable managed = Volumes.Managed.CreateDecoder(id);
        using IDisposable native = Volumes.Native.CreateDecoder(id);
        Assert.NotNull(managed);
        Assert.NotNull(native);
    }
}
