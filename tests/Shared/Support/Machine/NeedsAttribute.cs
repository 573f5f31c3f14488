using System.Reflection;

namespace Restore.Tests.Support.Machine;

/// <summary>
/// What a test class, a test or a class fixture needs of the machine. Without it these tests are
/// not in the run, and <see cref="MachineTests"/> says so once, instead of one skipped test for
/// each.
/// </summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method, AllowMultiple = true)]
public abstract class NeedsAttribute : Attribute
{
    /// <summary>The need in a word or two; equal for equal needs.</summary>
    public abstract string Need { get; }

    /// <summary>What is missing and where to get it; null if nothing is missing.</summary>
    public abstract string? Missing { get; }

    public static bool AreMetFor(Type testClass) => Of(testClass).All(need => need.Missing is null);

    public static bool AreMetFor(MethodInfo test) => Of(test).All(need => need.Missing is null);

    /// <summary>The needs of a class: its own and those of its class fixtures.</summary>
    public static IEnumerable<NeedsAttribute> Of(Type testClass) =>
        from type in testClass
            .GetInterfaces()
            .Where(IsClassFixture)
            .Select(type => type.GenericTypeArguments[0])
            .Prepend(testClass)
        from need in type.GetCustomAttributes<NeedsAttribute>()
        select need;

    public static IEnumerable<NeedsAttribute> Of(MethodInfo test) => test.GetCustomAttributes<NeedsAttribute>();

    private static bool IsClassFixture(Type type) =>
        type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IClassFixture<>);
}
