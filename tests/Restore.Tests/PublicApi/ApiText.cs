using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;

namespace Restore.Tests.PublicApi;

/// <summary>
/// The public types and members of an assembly as sorted lines; what the compiler adds to records
/// is left out.
/// </summary>
internal static class ApiText
{
    private const BindingFlags Declared =
        BindingFlags.Public
        | BindingFlags.NonPublic
        | BindingFlags.Instance
        | BindingFlags.Static
        | BindingFlags.DeclaredOnly;

    private static readonly Dictionary<Type, string> Keywords = new()
    {
        [typeof(void)] = "void",
        [typeof(bool)] = "bool",
        [typeof(int)] = "int",
        [typeof(long)] = "long",
        [typeof(char)] = "char",
        [typeof(string)] = "string",
        [typeof(object)] = "object",
        [typeof(byte)] = "byte",
    };

    public static string Of(Assembly assembly)
    {
        StringBuilder text = new();
        foreach (Type type in assembly.GetExportedTypes().OrderBy(type => type.FullName, StringComparer.Ordinal))
        {
            text.Append(Heading(type)).Append('\n');
            foreach (string member in Members(type))
            {
                text.Append("    ").Append(member).Append('\n');
            }
        }

        return text.ToString();
    }

    private static string Heading(Type type)
    {
        IEnumerable<string> bases = type.GetInterfaces()
            .Where(used => !(IsRecord(type) && used.Name == "IEquatable`1"))
            .Select(Name)
            .Order(StringComparer.Ordinal);
        if (
            type.BaseType is { } parent
            && parent != typeof(object)
            && parent != typeof(ValueType)
            && parent != typeof(Enum)
        )
        {
            bases = bases.Except(parent.GetInterfaces().Select(Name)).Prepend(Name(parent));
        }

        return type.IsEnum
            ? $"enum {type.FullName}"
            : $"{Modifiers(type)}{Kind(type)} {type.FullName}{(bases.Any() ? " : " : "")}{string.Join(", ", bases)}";
    }

    private static string Kind(Type type) =>
        type.IsInterface
            ? "interface"
            : $"{(IsRecord(type) ? "record " : "")}{(type.IsValueType ? "struct" : "class")}";

    private static string Modifiers(Type type) =>
        type.IsValueType ? (type.IsDefined(typeof(IsReadOnlyAttribute)) ? "readonly " : "")
        : type.IsAbstract && type.IsSealed ? "static "
        : type.IsSealed ? "sealed "
        : type.IsAbstract && !type.IsInterface ? "abstract "
        : "";

    private static bool IsRecord(Type type) => type.GetMethod("PrintMembers", Declared) is not null;

    private static IEnumerable<string> Members(Type type) =>
        type.IsEnum
            ? type.GetFields(BindingFlags.Public | BindingFlags.Static)
                .Select(field => $"{field.Name} = {Convert.ToInt64(field.GetRawConstantValue(), null)}")
            : type.GetMembers(Declared).Select(Line).OfType<string>().Order(StringComparer.Ordinal);

    /// <summary>A member's line; null when it is not visible or the compiler made it.</summary>
    private static string? Line(MemberInfo member) =>
        member switch
        {
            ConstructorInfo constructor when IsVisible(constructor) =>
                $"{Name(constructor.DeclaringType!)}({Parameters(constructor)})",
            MethodInfo method when IsVisible(method) && !method.IsSpecialName =>
                $"{Static(method)}{Name(method.ReturnType)} {method.Name}({Parameters(method)})",
            PropertyInfo property
                when property.GetAccessors().Any(IsVisible)
                    || property.GetAccessors(true).Any(accessor => accessor.IsPublic) => Line(property),
            FieldInfo field when field.IsPublic =>
                $"{(field.IsStatic ? "static " : "")}{Name(field.FieldType)} {field.Name}",
            EventInfo happening when happening.AddMethod!.IsPublic =>
                $"event {Name(happening.EventHandlerType!)} {happening.Name}",
            _ => null,
        };

    private static string Line(PropertyInfo property)
    {
        MethodInfo get = property.GetMethod!;
        string set =
            property.SetMethod is not { IsPublic: true } setter ? ""
            : setter.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit)) ? " init;"
            : " set;";
        string required = property.IsDefined(typeof(RequiredMemberAttribute)) ? "required " : "";
        return $"{Static(get)}{required}{Name(property.PropertyType)} {property.Name} {{ get;{set} }}";
    }

    private static bool IsVisible(MethodBase method) =>
        (method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly)
        && !method.IsDefined(typeof(CompilerGeneratedAttribute));

    private static string Static(MethodInfo method) => method.IsStatic ? "static " : "";

    private static string Parameters(MethodBase method) =>
        string.Join(
            ", ",
            method
                .GetParameters()
                .Select(parameter =>
                    $"{(parameter.IsOut ? "out " : "")}{Name(parameter.ParameterType)} {parameter.Name}{Default(parameter)}"
                )
        );

    private static string Default(ParameterInfo parameter) =>
        parameter.HasDefaultValue ? $" = {parameter.DefaultValue ?? "default"}" : "";

    private static string Name(Type type)
    {
        if (type.IsByRef || type.IsArray)
        {
            return Name(type.GetElementType()!) + (type.IsArray ? "[]" : "");
        }

        if (Nullable.GetUnderlyingType(type) is { } value)
        {
            return Name(value) + "?";
        }

        return Keywords.GetValueOrDefault(type)
            ?? (
                type.IsGenericType
                    ? $"{type.Name.Split('`')[0]}<{string.Join(", ", type.GetGenericArguments().Select(Name))}>"
                    : type.Name
            );
    }
}
