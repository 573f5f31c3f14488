using System.Reflection;

namespace Restore.Tests.Architecture;

/// <summary>
/// Dependencies point one way: Format &lt;- Storage &lt;- Volumes &lt;- Catalog &lt;- Reading,
/// Planning &lt;- Restoring.
/// </summary>
public sealed class LayerTests
{
    private const string Root = "";

    /// <summary>Every layer may use exceptions, issues, events and progress.</summary>
    private const string Reporting = "Reporting";

    private static readonly Assembly Library = typeof(RestoreException).Assembly;

    /// <summary>
    /// What each layer may use besides itself and the public types at the root, and why it may use
    /// no more.
    /// </summary>
    private static readonly Dictionary<string, (string[] Uses, string Rule)> Rules = new()
    {
        [Reporting] = ([], "Reporting turns failures into issues, events and progress; it depends on nothing."),
        ["Targets"] = (["Format"], "Targets is the contract of an end with random access; it knows no end."),
        ["Memory"] = (["Interop"], "Memory is what everything stands on; it depends on the system alone."),
        ["Threads"] = ([], "Threads runs work that blocks; it depends on nothing."),
        ["Interop"] = ([], "Interop finds the system's libraries and programs; it depends on nothing."),
        ["Format"] = ([], "Format turns bytes into values and back; it depends on nothing, and does no I/O."),
        ["Csp"] = (["Threads"], "The CSP kernel knows nothing of what its channels carry."),
        ["Encryption"] = (
            ["Memory", "Interop", "Format"],
            "Encryption turns one volume into its plain content; it knows no other layer than Memory, Interop and Format."
        ),
        ["Compression"] = (
            ["Memory", "Interop", "Format"],
            "Compression reads one archive in memory; it knows no other layer than Memory, Interop and Format."
        ),
        ["Storage"] = (
            ["Memory", "Threads", "Interop", "Format", "Encryption", "Compression"],
            "Storage is where volumes come from; what is in them and what for is for the layers above."
        ),
        ["Volumes"] = (
            ["Memory", "Interop", "Format", "Encryption", "Compression", "Storage"],
            "Volumes turns a file in a store into an open archive in memory, whole or in part; it does not know which blocks anybody wants."
        ),
        ["Catalog"] = (
            ["Memory", "Threads", "Interop", "Format", "Encryption", "Compression", "Storage", "Volumes"],
            "The catalog says what is in a backup and where; it knows no plan, no flow and no end."
        ),
        ["Reading"] = (
            ["Memory", "Threads", "Format", "Encryption", "Compression", "Storage", "Volumes", "Catalog", "Csp"],
            "Reading turns a fetch list into a stream of blocks; it does not know what a file is."
        ),
        ["Planning"] = (
            [
                "Memory",
                "Threads",
                "Format",
                "Encryption",
                "Compression",
                "Storage",
                "Volumes",
                "Catalog",
                "Csp",
                "Resume",
                "Targets",
            ],
            "A plan is a value; Planning knows the contract of an end (IRestoreTarget) alone, and neither Reading nor Restoring."
        ),
        ["Resume"] = (
            ["Format", "Catalog", "Targets"],
            "Resume is the record of a run at its target and what the next run finds there; it knows no plan and no flow."
        ),
        ["Streams"] = (
            [
                "Memory",
                "Format",
                "Encryption",
                "Compression",
                "Storage",
                "Volumes",
                "Catalog",
                "Reading",
                "Planning",
                "Resume",
            ],
            "Streams gives contents to a reader in the order of the reads; of Planning and Resume it knows the rules of paths, and no target."
        ),
        ["Restoring"] = (
            [
                "Memory",
                "Threads",
                "Interop",
                "Format",
                "Encryption",
                "Compression",
                "Storage",
                "Volumes",
                "Catalog",
                "Csp",
                "Reading",
                "Planning",
                "Resume",
                "Streams",
                "Targets",
                "Ends",
            ],
            "Restoring gives the blocks of the stream to entries; it makes no backups, and nobody below knows it."
        ),
        ["Shards"] = (
            [
                "Memory",
                "Threads",
                "Interop",
                "Format",
                "Storage",
                "Volumes",
                "Catalog",
                "Planning",
                "Resume",
                "Restoring",
                "Targets",
                "Ends",
            ],
            "Shards splits a plan, and runs and joins its parts; nothing but the root knows it."
        ),
        ["Diff"] = (
            ["Memory", "Threads", "Format", "Catalog", "Planning", "Restoring", "Targets", "Ends"],
            "Diff compares what lists and folders have; it reads no volume, and restores nothing."
        ),
        ["Assessment"] = (
            ["Memory", "Format", "Catalog"],
            "Assessment says which versions are good by their lists; it reads no volume, and restores nothing."
        ),
        ["Ends"] = (
            ["Memory", "Interop", "Format", "Targets"],
            "An end is where entries go; it knows neither where they come from nor who sends them."
        ),
        ["Writing"] = (
            [
                "Memory",
                "Threads",
                "Interop",
                "Format",
                "Encryption",
                "Compression",
                "Storage",
                "Volumes",
                "Catalog",
                "Csp",
            ],
            "Writing makes a backup in a store; the catalog says what is in it already, and no plan or flow of a restore is known here."
        ),
        ["Maintenance"] = (
            [
                "Memory",
                "Threads",
                "Interop",
                "Format",
                "Encryption",
                "Compression",
                "Storage",
                "Volumes",
                "Catalog",
                "Csp",
                "Reading",
                "Planning",
                "Writing",
            ],
            "Maintenance rebuilds what belongs to a backup from its volumes and keeps it small: it reads and writes, and restores nothing."
        ),
        ["Jobs"] = (
            ["Memory", "Threads", "Encryption", "Catalog"],
            "Jobs reads what Duplicati's server knows about its backups; it opens none of them."
        ),
        [Root] = (
            [
                "Memory",
                "Threads",
                "Interop",
                "Format",
                "Csp",
                "Encryption",
                "Compression",
                "Storage",
                "Volumes",
                "Catalog",
                "Reading",
                "Planning",
                "Resume",
                "Streams",
                "Restoring",
                "Shards",
                "Diff",
                "Assessment",
                "Targets",
                "Ends",
                "Writing",
                "Maintenance",
                "Jobs",
                Reporting,
            ],
            "The types at the root join the layers."
        ),
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
            where
                LayerOf(used) is var below
                && below != layer
                && below is not (Root or Reporting)
                && !uses.Contains(below)
            select $"{TypeReferences.Outermost(type).FullName} uses {used.FullName}. {rule}";

        Violations.AssertNone(violations);
    }

    /// <summary>
    /// A type at the root stands on the layers that it uses: what is below one of these must not
    /// use it, or the two form a cycle.
    /// </summary>
    [Theory]
    [MemberData(nameof(Layers))]
    public void A_layer_uses_only_types_of_the_root_that_stand_on_layers_below_it(string layer)
    {
        string[] uses = Rules[layer].Uses;
        IEnumerable<string> violations =
            from type in Library.GetTypes()
            where layer != Root && LayerOf(type) == layer
            from used in TypeReferences.Of(type).Select(TypeReferences.Outermost).Distinct()
            where LayerOf(used) == Root
            from below in LayersUnder(used)
            where below != layer && !uses.Contains(below)
            select $"{TypeReferences.Outermost(type).FullName} uses {used.FullName}, which uses {below}.";

        Violations.AssertNone(violations.Distinct());
    }

    [Fact]
    public void Every_folder_of_the_library_is_a_layer_with_a_rule() =>
        Violations.AssertNone(
            from type in Library.GetTypes()
            where
                type.Namespace is "Restore" || type.Namespace?.StartsWith("Restore.", StringComparison.Ordinal) == true
            where !Rules.ContainsKey(LayerOf(type))
            select $"{type.FullName}: {LayerOf(type)} is no layer. Give it a rule in LayerTests and in docs/architecture.md, or move the type."
        );

    /// <summary>
    /// The namespaces that a user of the library imports. Restore has what a program needs that
    /// opens, lists, plans, restores, assesses and reads; each other one has one more task.
    /// </summary>
    private static readonly string[] PublicNamespaces =
    [
        "Restore",
        "Restore.Jobs",
        "Restore.Maintenance",
        "Restore.Shards",
        "Restore.Stores",
        "Restore.Trees",
        "Restore.Writing",
    ];

    [Fact]
    public void Public_types_are_in_the_namespaces_that_a_user_imports() =>
        Assert.Equal(
            PublicNamespaces,
            Library.GetExportedTypes().Select(type => type.Namespace!).Distinct().Order(StringComparer.Ordinal)
        );

    [Fact]
    public void The_root_namespace_has_at_most_60_public_types() =>
        Assert.InRange(Library.GetExportedTypes().Count(type => type.Namespace == "Restore"), 1, 60);

    [Fact]
    public void The_library_carries_no_SDK_of_a_store_and_shows_stores_of_other_packages_its_public_port_only()
    {
        Assert.DoesNotContain(
            Library.GetReferencedAssemblies(),
            used => used.Name!.Split('.')[0] is "AWSSDK" or "Azure" or "Renci"
        );
        Assert.DoesNotContain(
            Library.GetCustomAttributes<System.Runtime.CompilerServices.InternalsVisibleToAttribute>(),
            friend => friend.AssemblyName is "Restore.Sftp" or "Restore.S3" or "Restore.Azure"
        );
    }

    [Fact]
    public void The_page_uses_the_public_types_of_the_library_only() =>
        Assert.DoesNotContain(
            Library.GetCustomAttributes<System.Runtime.CompilerServices.InternalsVisibleToAttribute>(),
            friend => friend.AssemblyName is "Restore.Browse" or "Restore.Browser" or "Restore.Web"
        );

    [Theory]
    [InlineData("Restore.Cli")]
    [InlineData("Restore.Mount")]
    public void The_program_uses_the_public_types_of_the_library_and_its_calls_of_the_system_only(string program)
    {
        Type[] types = Assembly.Load(program).GetTypes();
        List<Type> used = [.. types.SelectMany(type => TypeReferences.Of(type, Library)).Distinct()];
        Assert.Contains(used, type => type.Namespace == "Restore.Interop");
        Assert.Empty(
            used.Where(type => !type.IsVisible && type.Namespace != "Restore.Interop").Select(type => type.FullName)
        );
    }

    [Theory]
    [InlineData("Restore")]
    [InlineData("Restore.Sftp")]
    [InlineData("Restore.S3")]
    [InlineData("Restore.Azure")]
    [InlineData("Restore.Browse")]
    [InlineData("Restore.Browser")]
    [InlineData("Restore.Web")]
    [InlineData("Restore.Mount")]
    [InlineData("Restore.Cli")]
    public void The_namespace_of_a_file_is_its_folder(string project)
    {
        string folder = Path.Combine(Fixtures.RepositoryRoot(), "src", project);
        IEnumerable<string> files = Directory
            .EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
            .Select(file => Path.GetRelativePath(folder, file))
            .Where(file =>
                !file.StartsWith("obj", StringComparison.Ordinal) && !file.StartsWith("bin", StringComparison.Ordinal)
            );

        Assert.NotEmpty(files);
        Assert.All(
            files,
            file =>
            {
                string[] folders = Path.GetDirectoryName(file)!
                    .Split(Path.DirectorySeparatorChar, StringSplitOptions.RemoveEmptyEntries);
                string expected = string.Join('.', [project, .. folders]);

                string[] declared =
                [
                    .. File.ReadLines(Path.Combine(folder, file))
                        .Where(line => line.StartsWith("namespace ", StringComparison.Ordinal)),
                ];
                Assert.True(
                    declared.Length == 0 || declared.Contains($"namespace {expected};"),
                    $"{file} declares '{declared.FirstOrDefault()}'; by its folder it is in {expected}."
                );
            }
        );
    }

    [Fact]
    public void The_check_sees_what_methods_call()
    {
        HashSet<Type> seen = TypeReferences.Of(typeof(LayerTests));
        Assert.Contains(typeof(TypeReferences), seen);
        Assert.Contains(typeof(Fixtures), seen);
        Assert.DoesNotContain(seen, type => type.Name == "StateTests");
    }

    /// <summary>The layers that each type of the root uses.</summary>
    private static readonly Lazy<ILookup<Type, string>> Under = new(() =>
        Library
            .GetTypes()
            .Where(type => LayerOf(type) == Root)
            .SelectMany(
                type => TypeReferences.Of(type).Select(LayerOf),
                (type, layer) => (Type: TypeReferences.Outermost(type), Layer: layer)
            )
            .Where(use => use.Layer is not (Root or Reporting))
            .Distinct()
            .ToLookup(use => use.Type, use => use.Layer)
    );

    private static IEnumerable<string> LayersUnder(Type type) => Under.Value[type];

    /// <summary>
    /// The layer of a type. A public type is at the root, whatever its namespace is: namespaces sort
    /// public types by what a user does with them.
    /// </summary>
    private static string LayerOf(Type type) =>
        TypeReferences.Outermost(type) is { IsPublic: false } inner
        && inner.Namespace?.Split('.') is ["Restore", var layer, ..]
            ? layer
            : Root;
}
