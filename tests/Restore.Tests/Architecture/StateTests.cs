using System.Collections.Concurrent;
using System.Reflection;
using System.Runtime.CompilerServices;
using Restore.Threads;

namespace Restore.Tests.Architecture;

/// <summary>
/// Any number of restores can run in one process: nothing they do is kept in a static.
/// </summary>
public sealed class StateTests
{
    private static readonly Type[] Growing =
    [
        typeof(List<>),
        typeof(Dictionary<,>),
        typeof(HashSet<>),
        typeof(Queue<>),
        typeof(Stack<>),
        typeof(ConcurrentDictionary<,>),
        typeof(ConcurrentBag<>),
        typeof(ConcurrentQueue<>),
        typeof(ConcurrentStack<>),
        typeof(ConditionalWeakTable<,>),
        typeof(AsyncLocal<>),
        typeof(ThreadLocal<>),
    ];

    public static TheoryData<string> Assemblies() =>
        [
            "Restore",
            "Restore.Sftp",
            "Restore.S3",
            "Restore.Azure",
            "Restore.DependencyInjection",
            "Restore.Browse",
            "Restore.Web",
            "Restore.Mount",
            "Restore.Cli",
        ];

    [Theory]
    [MemberData(nameof(Assemblies))]
    public void No_static_field_can_be_assigned_again(string assembly) =>
        Violations.AssertNone(
            from field in StaticFields(assembly)
            where !field.IsInitOnly && !field.IsLiteral && !IsOfThreads(field) && !IsOfPage(field)
            select $"{field.DeclaringType!.FullName}.{field.Name} is static and can change; two restores in one process would share it."
        );

    [Theory]
    [MemberData(nameof(Assemblies))]
    public void No_static_field_holds_a_collection_that_can_grow(string assembly) =>
        Violations.AssertNone(
            from field in StaticFields(assembly)
            where field.FieldType.IsGenericType && Growing.Contains(field.FieldType.GetGenericTypeDefinition())
            select $"{field.DeclaringType!.FullName}.{field.Name} is a static collection that can grow; make it an array or a frozen one."
        );

    [Fact]
    public void The_check_sees_static_fields() =>
        Assert.Contains(StaticFields("Restore.Tests"), field => field.Name == nameof(Growing));

    /// <summary>
    /// Which threads a thread is one of is not shared by anybody, and says nothing of a restore.
    /// </summary>
    private static bool IsOfThreads(FieldInfo field) =>
        field.DeclaringType == typeof(OwnThreads) && field.IsDefined(typeof(ThreadStaticAttribute));

    /// <summary>
    /// What a call of the page looks like, which the compiler keeps where it is first used.
    /// </summary>
    private static bool IsOfPage(FieldInfo field) =>
        field.DeclaringType!.Namespace == "Restore.Interop.Browser"
        && field.Name.StartsWith("__signature", StringComparison.Ordinal);

    private static IEnumerable<FieldInfo> StaticFields(string assembly) =>
        from type in Assembly.Load(assembly).GetTypes()
        where !type.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false) && !type.Name.StartsWith('<')
        from field in type.GetFields(
            BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly
        )
        where !field.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false) && !field.Name.StartsWith('<')
        select field;
}
