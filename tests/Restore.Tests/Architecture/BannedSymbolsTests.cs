using System.Reflection;

namespace Restore.Tests.Architecture;

/// <summary>
/// Every line of <c>BannedSymbols.txt</c> names a symbol that exists: a line with a typo would ban
/// nothing.
/// </summary>
public sealed class BannedSymbolsTests
{
    private static readonly Assembly[] Assemblies =
    [
        typeof(object).Assembly,
        Assembly.Load("System.Threading.Channels"),
    ];

    public static TheoryData<string> Symbols() =>
        [
            .. File.ReadLines(Path.Combine(Fixtures.RepositoryRoot(), "BannedSymbols.txt"))
                .Select(line => line.Split(';')[0]),
        ];

    [Theory]
    [MemberData(nameof(Symbols))]
    public void A_banned_symbol_exists(string symbol)
    {
        (string kind, string name) = (symbol[..2], symbol[2..]);
        bool isThere = kind switch
        {
            "N:" => Assemblies.Any(assembly => assembly.GetTypes().Any(type => type.Namespace == name)),
            "T:" => Find(name) is not null,
            _ => HasMember(name),
        };
        Assert.True(isThere, $"{symbol} is not a symbol of .NET");
    }

    private static bool HasMember(string name)
    {
        string[] parts = name.Split('(');
        int dot = parts[0].LastIndexOf('.');
        string parameters = parts.Length > 1 ? parts[1].TrimEnd(')') : "";
        return Find(parts[0][..dot])?.GetMember(parts[0][(dot + 1)..]).Any(member => ParametersOf(member) == parameters)
            ?? false;
    }

    private static string ParametersOf(MemberInfo member) =>
        member is MethodInfo method
            ? string.Join(',', method.GetParameters().Select(parameter => NameOf(parameter.ParameterType)))
            : "";

    private static string NameOf(Type type) =>
        type switch
        {
            { IsArray: true } => NameOf(type.GetElementType()!) + "[]",
            { IsGenericType: true } =>
                $"{type.Namespace}.{type.Name.Split('`')[0]}{{{string.Join(',', type.GetGenericArguments().Select(NameOf))}}}",
            _ => type.FullName ?? type.Name,
        };

    /// <summary>
    /// A type by its name; in a nested one the last dot stands for the plus of reflection.
    /// </summary>
    private static Type? Find(string name)
    {
        int dot = name.LastIndexOf('.');
        return Assemblies
            .Select(assembly => assembly.GetType(name) ?? assembly.GetType($"{name[..dot]}+{name[(dot + 1)..]}"))
            .FirstOrDefault(type => type is not null);
    }
}
