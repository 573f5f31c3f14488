using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace Restore.Benchmarks.Start;

/// <summary>
/// Writes a profile (.mibc) for the compiler that compiles the program ahead: an assembly with a method whose instructions name other methods. The compiler
/// makes all methods that are named there, also instances of generic ones that it would not find by itself.
/// </summary>
internal sealed class StartProfile
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    private readonly MetadataBuilder metadata = new();
    private readonly ProfileSignatures signatures;
    private readonly InstructionEncoder methods = new(new BlobBuilder());
    private readonly string folder;

    /// <param name="folder">The folder with the assemblies of the program.</param>
    public StartProfile(string folder)
    {
        this.folder = folder;
        Assembly core = typeof(object).Assembly;
        string runtime = Path.GetDirectoryName(core.Location)!;
        IEnumerable<string> files = Directory.EnumerateFiles(runtime, "System*.dll").Concat(Directory.EnumerateFiles(folder, "*.dll"));
        signatures = new ProfileSignatures(metadata, core.GetTypes().Concat(files.SelectMany(TypesOf)));
    }

    /// <summary>How many methods were found.</summary>
    public int Count { get; private set; }

    /// <summary>Adds the methods of that name and number of parameters; nothing if there is none.</summary>
    public void Add(JittedMethod method)
    {
        if (!IsKnown(method.Type) || !method.Arguments.All(IsKnown))
        {
            return;
        }

        Type definition = signatures.Definition(method.Type)!;
        IEnumerable<MethodBase> found = [.. definition.GetMethods(Declared), .. definition.GetConstructors(Declared)];
        foreach (MethodBase one in found.Where(one => one.Name == method.Name && one.GetParameters().Length == method.Parameters))
        {
            if (ProfileSignatures.Arguments(one) == method.Arguments.Count)
            {
                EntityHandle handle = metadata.AddMemberReference(
                    signatures.Reference(method.Type), metadata.GetOrAddString(one.Name), signatures.Signature(one));
                if (method.Arguments.Count > 0)
                {
                    BlobBuilder instance = new();
                    GenericTypeArgumentsEncoder encoder = new BlobEncoder(instance).MethodSpecificationSignature(method.Arguments.Count);
                    foreach (JittedType argument in method.Arguments)
                    {
                        signatures.Encode(encoder.AddArgument(), argument);
                    }

                    handle = metadata.AddMethodSpecification(handle, metadata.GetOrAddBlob(instance));
                }

                methods.OpCode(ILOpCode.Ldtoken);
                methods.Token(handle);
                methods.OpCode(ILOpCode.Pop);
                Count++;
            }
        }
    }

    /// <summary>Writes the profile.</summary>
    /// <param name="path">The file.</param>
    public void Write(string path)
    {
        BlobBuilder code = new();
        MethodBodyStreamEncoder bodies = new(code);
        metadata.AddModule(0, metadata.GetOrAddString(Path.GetFileName(path)), metadata.GetOrAddGuid(new Guid(1, 0, 0, new byte[8])), default, default);
        metadata.AddAssembly(metadata.GetOrAddString(Path.GetFileName(path)), new Version(1, 0), default, default, 0, AssemblyHashAlgorithm.None);
        metadata.AddTypeDefinition(
            0, default, metadata.GetOrAddString("<Module>"), default, MetadataTokens.FieldDefinitionHandle(1), MetadataTokens.MethodDefinitionHandle(1));
        InstructionEncoder dictionary = new(new BlobBuilder());
        MethodDefinitionHandle all = AddMethod("Methods", methods, bodies);

        // Of several assemblies that it compiles together the compiler takes only what is told to belong to the first one.
        foreach (string name in Directory.EnumerateFiles(folder, "*.dll").Select(Path.GetFileNameWithoutExtension).Order(StringComparer.Ordinal)!)
        {
            dictionary.LoadString(metadata.GetOrAddUserString($"{name};"));
            dictionary.OpCode(ILOpCode.Ldtoken);
            dictionary.Token(all);
            dictionary.OpCode(ILOpCode.Pop);
        }

        AddMethod("AssemblyDictionary", dictionary, bodies);
        BlobBuilder image = new();
        new ManagedPEBuilder(PEHeaderBuilder.CreateLibraryHeader(), new MetadataRootBuilder(metadata), code, deterministicIdProvider: _ => default)
            .Serialize(image);
        using FileStream file = File.Create(path);
        image.WriteContentTo(file);
    }

    private MethodDefinitionHandle AddMethod(string name, InstructionEncoder instructions, MethodBodyStreamEncoder bodies)
    {
        instructions.OpCode(ILOpCode.Ret);
        BlobBuilder signature = new();
        new BlobEncoder(signature).MethodSignature().Parameters(0, result => result.Void(), _ => { });
        return metadata.AddMethodDefinition(
            MethodAttributes.Public | MethodAttributes.Static, MethodImplAttributes.IL, metadata.GetOrAddString(name), metadata.GetOrAddBlob(signature),
            bodies.AddMethodBody(instructions, maxStack: 8), MetadataTokens.ParameterHandle(1));
    }

    private static IEnumerable<Type> TypesOf(string file)
    {
        try
        {
            return Assembly.LoadFrom(file).GetTypes();
        }
        catch (ReflectionTypeLoadException some)
        {
            return some.Types.OfType<Type>();
        }
        catch (Exception failure) when (failure is BadImageFormatException or FileLoadException or FileNotFoundException)
        {
            // A native library, or one that needs something that the program does not have.
            return [];
        }
    }

    private bool IsKnown(JittedType type) => signatures.Definition(type) is { } known
        && type.Arguments.Count == (known.IsGenericTypeDefinition ? known.GetGenericArguments().Length : 0) && type.Arguments.All(IsKnown);
}
