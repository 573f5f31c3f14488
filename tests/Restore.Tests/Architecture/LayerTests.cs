using System.Reflection;
using Restore.Targets;

namespace Restore.Tests.Architecture;

/// <summary>Dependencies point one way: Format &lt;- Encryption, Compression &lt;- Storage &lt;- Catalog &lt;- Planning &lt;- Network -> Targets.</summary>
public sealed class LayerTests
{
    private const string Root = "";

    private static readonly Assembly Library = typeof(RestoreException).Assembly;

    /// <summary>What each layer may use besides itself and the public types at the root, and why it may use no more.</summary>
    private static readonly Dictionary<string, (string[] Uses, string Rule)> Rules = new()
    {
        ["Memory"] = ([], "Memory is what everything stands on; it depends on nothing."),
        ["Interop"] = ([], "Interop finds the system's libraries; it depends on nothing."),
        ["Format"] = ([], "Format turns bytes into values and back; it depends on nothing, and does no I/O."),
        ["Csp"] = ([], "The CSP kernel knows nothing of what its channels carry."),
        ["Encryption"] = (["Memory", "Interop", "Format"],
            "Encryption turns one volume into its plain content; it knows no other layer than Memory, Interop and Format."),
        ["Compression"] = (["Memory", "Interop", "Format"],
            "Compression reads one archive in memory; it knows no other layer than Memory, Interop and Format."),
        ["Targets"] = (["Memory", "Format"], "A target is where files go; it knows neither where they come from nor who sends them."),
        ["Storage"] = (["Memory", "Format", "Encryption", "Compression"],
            "Storage is where volumes come from; what is in them and what for is for the layers above."),
        ["Writing"] = (["Memory", "Format", "Encryption", "Compression", "Csp"],
            "Writing makes a backup from what the formats say; it shares nothing with the restore flow."),
        ["Catalog"] = (["Memory", "Format", "Encryption", "Compression", "Storage"],
            "The catalog says what is in a backup; it knows no plan, no flow and no target."),
        ["Planning"] = (["Memory", "Format", "Encryption", "Compression", "Storage", "Catalog"],
            "A plan is a value made from the catalog; of targets Planning knows the contract (IRestoreTarget) alone, and no flow."),
        ["Legacy"] = (["Memory", "Format", "Encryption", "Compression", "Storage", "Catalog", "Planning", "Targets"],
            "The old sequential flow stands beside the network and shares nothing of it."),
        ["Network"] = (["Memory", "Format", "Encryption", "Compression", "Storage", "Catalog", "Planning", "Targets", "Legacy", "Csp"],
            "The network is the top, where a run chooses its flow; it makes no backups, and nobody below knows it."),
        [Root] = (
            ["Memory", "Interop", "Format", "Csp", "Encryption", "Compression", "Targets", "Storage", "Writing", "Catalog", "Planning", "Legacy", "Network"],
            "The types at the root join the layers."),
    };

    public static TheoryData<string> Layers() => [.. Rules.Keys];

    [Theory]
    [MemberData(nameof(Layers))]
    public void A_layer_uses_only_the_layers_below_it(string layer)
    {
        (string[] uses, string rule) = Rules[layer];
        IEnumerable<string> violations =
            from type in Library.GetTypes()
            where LayerOf(type) == layer
            from used in TypeReferences.Of(type)
            where LayerOf(used) is var below && below != layer && below != Root && !uses.Contains(below)
            where layer != "Planning" || !TargetContract().Contains(used)
            select $"{TypeReferences.Outermost(type).FullName} uses {used.FullName}. {rule}";

        Violations.AssertNone(violations);
    }

    [Fact]
    public void Every_folder_of_the_library_is_a_layer_with_a_rule() => Violations.AssertNone(
        from type in Library.GetTypes()
        where type.Namespace is "Restore" || type.Namespace?.StartsWith("Restore.", StringComparison.Ordinal) == true
        where !Rules.ContainsKey(LayerOf(type))
        select $"{type.FullName}: {LayerOf(type)} is no layer. Give it a rule in LayerTests and in docs/architecture.md, or move the type.");

    [Fact]
    public void Only_types_at_the_root_are_public() => Violations.AssertNone(
        from type in Library.GetExportedTypes()
        where type.Namespace != "Restore"
        select $"{type.FullName} is public. What users build on is at the root of the library, everything else is internal.");

    [Theory]
    [InlineData("Restore")]
    [InlineData("Restore.Cli")]
    public void The_namespace_of_a_file_is_its_folder(string project)
    {
        string folder = Path.Combine(Fixtures.RepositoryRoot(), "src", project);
        IEnumerable<string> files = Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
            .Select(file => Path.GetRelativePath(folder, file))
            .Where(file => !file.StartsWith("obj", StringComparison.Ordinal) && !file.StartsWith("bin", StringComparison.Ordinal));

        Assert.NotEmpty(files);
        Assert.All(files, file =>
        {
            string[] folders = Path.GetDirectoryName(file)!.Split(Path.DirectorySeparatorChar, StringSplitOptions.RemoveEmptyEntries);
            string expected = string.Join('.', [project, .. folders]);
            string? declared = File.ReadLines(Path.Combine(folder, file))
                .FirstOrDefault(line => line.StartsWith("namespace ", StringComparison.Ordinal));
            Assert.True(declared is null || declared == $"namespace {expected};", $"{file} declares '{declared}'; by its folder it is in {expected}.");
        });
    }

    [Fact]
    public void The_check_sees_what_methods_call()
    {
        HashSet<Type> seen = TypeReferences.Of(typeof(LayerTests));
        Assert.Contains(typeof(TypeReferences), seen);
        Assert.Contains(typeof(Fixtures), seen);
        Assert.DoesNotContain(seen, type => type.Name == "StateTests");
    }

    private static string LayerOf(Type type) => TypeReferences.Outermost(type).Namespace?.Split('.') is ["Restore", var layer, ..] ? layer : Root;

    /// <summary>IRestoreTarget and the types its members name, and theirs in turn.</summary>
    private static HashSet<Type> TargetContract()
    {
        HashSet<Type> contract = [];
        Queue<Type> next = new([typeof(IRestoreTarget)]);
        while (next.TryDequeue(out Type? type))
        {
            if (LayerOf(type) == "Targets" && contract.Add(type))
            {
                type.GetMethods().SelectMany(TypeReferences.OfSignature).ToList().ForEach(next.Enqueue);
            }
        }

        return contract;
    }
}
