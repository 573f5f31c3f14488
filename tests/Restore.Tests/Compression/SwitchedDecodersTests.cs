#if SHARPCOMPRESS

namespace Restore.Tests.Compression;

/// <summary>What a build with the switch decodes without any library of the system.</summary>
public class SwitchedDecodersTests
{
    [Theory]
    [InlineData("zip-ppmd")]
    [InlineData("zip-bzip2")]
    [InlineData("zip-lzma")]
    [InlineData("zip-zstd")]
    [InlineData("tzstd")]
    public void The_rare_methods_decode_by_SharpCompress(string fixture) => Volumes.CheckBackup(fixture, Volumes.Managed);

    [Fact]
    public void Ppmd_decodes_beside_the_libraries_of_the_system() => Volumes.CheckBackup("zip-ppmd", Volumes.Native);

    [Theory]
    [InlineData("zip-ppmd")]
    [InlineData("zip-bzip2")]
    [InlineData("zip-lzma")]
    [InlineData("zip-zstd")]
    public void Damage_anywhere_is_found_with_a_result_of_the_contract(string fixture)
    {
        byte[] volume = File.ReadAllBytes(Directory.EnumerateFiles(Fixtures.Backup(fixture), "*.dblock.zip").First());
        var random = new Random(1);
        for (int run = 0; run < 100; run++)
        {
            byte[] damaged = [.. volume];
            damaged[random.Next(damaged.Length)] ^= (byte)random.Next(1, 256);
            Volumes.ReadWhateverIsThere(damaged, Volumes.Managed);
        }
    }
}
#endif
