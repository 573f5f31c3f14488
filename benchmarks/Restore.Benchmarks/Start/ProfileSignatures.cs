using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Restore.Benchmarks.Start;

/// <summary>Finds types by the names that the runtime prints, and writes types and signatures of methods into the metadata of a profile.</summary>
internal sealed class ProfileSignatures
{
    // Stands for any reference type. The compiler looks for it in an assembly of this name.
    private const string AnyReference = "System.__Canon";
    private const string AnyReferenceAssembly = "System.Private.Canon";

    private readonly MetadataBuilder metadata;
    private readonly Dictionary<string, Type> types = [];
    private readonly Dictionary<string, AssemblyReferenceHandle> assemblies = [];
    private readonly Dictionary<Type, EntityHandle> references = [];

    /// <param name="metadata">The metadata of the profile.</param>
    /// <param name="all">The types of the program; of those with one name the first counts.</param>
    public ProfileSignatures(MetadataBuilder metadata, IEnumerable<Type> all)
    {
        this.metadata = metadata;
        foreach (Type type in all)
        {
            types.TryAdd(type.FullName!, type);
        }
    }

    /// <summary>How many type arguments a method has.</summary>
    public static int Arguments(MethodBase method) => method.IsGenericMethodDefinition ? method.GetGenericArguments().Length : 0;

    /// <summary>The type without its arguments; null if there is none of that name.</summary>
    public Type? Definition(JittedType type) => Primitive(type.Name) ?? types.GetValueOrDefault(type.Name);

    /// <summary>Names a type in the profile.</summary>
    public EntityHandle Reference(JittedType type)
    {
        if (type.Arguments.Count == 0 && type.Arrays == 0)
        {
            return Reference(Definition(type)!);
        }

        BlobBuilder signature = new();
        Encode(new BlobEncoder(signature).TypeSpecificationSignature(), type);
        return metadata.AddTypeSpecification(metadata.GetOrAddBlob(signature));
    }

    /// <summary>Writes a type into a signature.</summary>
    public void Encode(SignatureTypeEncoder encoder, JittedType type)
    {
        Type definition = Definition(type)!;
        for (int i = 0; i < type.Arrays; i++)
        {
            encoder = encoder.SZArray();
        }

        if (type.Arguments.Count == 0)
        {
            Encode(encoder, definition);
            return;
        }

        GenericTypeArgumentsEncoder all = encoder.GenericInstantiation(Reference(definition), type.Arguments.Count, definition.IsValueType);
        foreach (JittedType argument in type.Arguments)
        {
            Encode(all.AddArgument(), argument);
        }
    }

    /// <summary>The signature of a method.</summary>
    public BlobHandle Signature(MethodBase method)
    {
        BlobBuilder signature = new();
        ParameterInfo[] parameters = method.GetParameters();
        MethodSignatureEncoder encoder = new BlobEncoder(signature).MethodSignature(
            genericParameterCount: Arguments(method), isInstanceMethod: !method.IsStatic);
        encoder.Parameters(parameters.Length, out ReturnTypeEncoder returned, out ParametersEncoder encoded);
        if (method is MethodInfo { ReturnParameter: var result } && result.ParameterType != typeof(void))
        {
            Modify(returned.CustomModifiers(), result);
            Encode(returned.Type(result.ParameterType.IsByRef), Element(result));
        }
        else
        {
            Modify(returned.CustomModifiers(), (method as MethodInfo)?.ReturnParameter);
            returned.Void();
        }

        foreach (ParameterInfo parameter in parameters)
        {
            ParameterTypeEncoder one = encoded.AddParameter();
            Modify(one.CustomModifiers(), parameter);
            Encode(one.Type(parameter.ParameterType.IsByRef), Element(parameter));
        }

        return metadata.GetOrAddBlob(signature);
    }

    private EntityHandle Reference(Type type)
    {
        if (references.TryGetValue(type, out EntityHandle known))
        {
            return known;
        }

        EntityHandle scope = type.DeclaringType is { } outer
            ? Reference(outer)
            : AssemblyOf(type.FullName == AnyReference ? AnyReferenceAssembly : type.Assembly.GetName().Name!);
        string space = type.DeclaringType is null ? type.Namespace ?? "" : "";
        EntityHandle handle = metadata.AddTypeReference(scope, metadata.GetOrAddString(space), metadata.GetOrAddString(type.Name));
        references.Add(type, handle);
        return handle;
    }

    private AssemblyReferenceHandle AssemblyOf(string name)
    {
        if (!assemblies.TryGetValue(name, out AssemblyReferenceHandle handle))
        {
            handle = metadata.AddAssemblyReference(metadata.GetOrAddString(name), new Version(0, 0, 0, 0), default, default, default, default);
            assemblies.Add(name, handle);
        }

        return handle;
    }

    private void Encode(SignatureTypeEncoder encoder, Type type)
    {
        if (type.IsSZArray)
        {
            Encode(encoder.SZArray(), type.GetElementType()!);
        }
        else if (type.IsArray)
        {
            encoder.Array(element => Encode(element, type.GetElementType()!), shape => shape.Shape(type.GetArrayRank(), [], []));
        }
        else if (type.IsPointer)
        {
            if (type.GetElementType() == typeof(void))
            {
                encoder.VoidPointer();
            }
            else
            {
                Encode(encoder.Pointer(), type.GetElementType()!);
            }
        }
        else if (type.IsGenericTypeParameter)
        {
            encoder.GenericTypeParameter(type.GenericParameterPosition);
        }
        else if (type.IsGenericMethodParameter)
        {
            encoder.GenericMethodTypeParameter(type.GenericParameterPosition);
        }
        else if (type.IsGenericType)
        {
            Type[] arguments = type.GetGenericArguments();
            GenericTypeArgumentsEncoder all = encoder.GenericInstantiation(Reference(type.GetGenericTypeDefinition()), arguments.Length, type.IsValueType);
            foreach (Type argument in arguments)
            {
                Encode(all.AddArgument(), argument);
            }
        }
        else if (PrimitiveCode(type) is { } code)
        {
            encoder.PrimitiveType(code);
        }
        else
        {
            encoder.Type(Reference(type), type.IsValueType);
        }
    }

    private static Type Element(ParameterInfo parameter) =>
        parameter.ParameterType.IsByRef ? parameter.ParameterType.GetElementType()! : parameter.ParameterType;

    private void Modify(CustomModifiersEncoder encoder, ParameterInfo? parameter)
    {
        foreach (Type modifier in parameter?.GetRequiredCustomModifiers() ?? [])
        {
            encoder.AddModifier(Reference(modifier), isOptional: false);
        }
    }

    private static Type? Primitive(string name) => name switch
    {
        "bool" => typeof(bool),
        "char" => typeof(char),
        "byte" => typeof(sbyte),
        "ubyte" => typeof(byte),
        "short" => typeof(short),
        "ushort" => typeof(ushort),
        "int" => typeof(int),
        "uint" => typeof(uint),
        "long" => typeof(long),
        "ulong" => typeof(ulong),
        "nint" => typeof(nint),
        "nuint" => typeof(nuint),
        "float" => typeof(float),
        "double" => typeof(double),
        _ => null,
    };

    private static PrimitiveTypeCode? PrimitiveCode(Type type) => type.IsEnum ? null : type.FullName switch
    {
        "System.Boolean" => PrimitiveTypeCode.Boolean,
        "System.Char" => PrimitiveTypeCode.Char,
        "System.SByte" => PrimitiveTypeCode.SByte,
        "System.Byte" => PrimitiveTypeCode.Byte,
        "System.Int16" => PrimitiveTypeCode.Int16,
        "System.UInt16" => PrimitiveTypeCode.UInt16,
        "System.Int32" => PrimitiveTypeCode.Int32,
        "System.UInt32" => PrimitiveTypeCode.UInt32,
        "System.Int64" => PrimitiveTypeCode.Int64,
        "System.UInt64" => PrimitiveTypeCode.UInt64,
        "System.IntPtr" => PrimitiveTypeCode.IntPtr,
        "System.UIntPtr" => PrimitiveTypeCode.UIntPtr,
        "System.Single" => PrimitiveTypeCode.Single,
        "System.Double" => PrimitiveTypeCode.Double,
        "System.String" => PrimitiveTypeCode.String,
        "System.Object" => PrimitiveTypeCode.Object,
        "System.TypedReference" => PrimitiveTypeCode.TypedReference,
        _ => null,
    };
}
