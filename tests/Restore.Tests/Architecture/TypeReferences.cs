using System.Reflection;
using System.Reflection.Emit;

namespace Restore.Tests.Architecture;

/// <summary>
/// Which types a type refers to: in its declaration, its members' signatures, and the instructions
/// of its methods.
/// </summary>
internal static class TypeReferences
{
    private const BindingFlags Declared =
        BindingFlags.Public
        | BindingFlags.NonPublic
        | BindingFlags.Static
        | BindingFlags.Instance
        | BindingFlags.DeclaredOnly;

    private static readonly Dictionary<short, OpCode> OpCodeOf = typeof(OpCodes)
        .GetFields()
        .Select(field => (OpCode)field.GetValue(null)!)
        .ToDictionary(opCode => opCode.Value);

    /// <summary>
    /// The types of the same assembly a type refers to, without the compiler's and nested ones:
    /// those stand for their outermost type.
    /// </summary>
    public static HashSet<Type> Of(Type type) => Of(type, type.Assembly);

    /// <summary>The types of an assembly a type refers to, in the same way.</summary>
    public static HashSet<Type> Of(Type type, Assembly assembly)
    {
        HashSet<Type> found = [];
        List<Type?> raw = [type.BaseType, .. type.GetInterfaces()];
        raw.AddRange(type.GetFields(Declared).Select(field => field.FieldType));
        foreach (MethodBase method in type.GetMethods(Declared).Concat<MethodBase>(type.GetConstructors(Declared)))
        {
            raw.AddRange(OfSignature(method));
            raw.AddRange(OfBody(method));
        }

        foreach (Type reference in raw.SelectMany(Parts).Where(part => part.Assembly == assembly))
        {
            found.Add(Outermost(reference));
        }

        found.Remove(Outermost(type));
        return found;
    }

    /// <summary>The type a nested one is written in.</summary>
    public static Type Outermost(Type type) => type.DeclaringType is { } outer ? Outermost(outer) : type;

    /// <summary>The types that a method's declaration names.</summary>
    public static IEnumerable<Type> OfSignature(MethodBase method) =>
        method
            .GetParameters()
            .Select(parameter => parameter.ParameterType)
            .Append((method as MethodInfo)?.ReturnType ?? typeof(void))
            .SelectMany(Parts);

    private static IEnumerable<Type> OfBody(MethodBase method)
    {
        if (method.GetMethodBody() is not { } body)
        {
            return [];
        }

        IEnumerable<Type?> handlers = body
            .ExceptionHandlingClauses.Where(clause => clause.Flags == ExceptionHandlingClauseOptions.Clause)
            .Select(clause => clause.CatchType);
        return
        [
            .. body.LocalVariables.Select(local => local.LocalType),
            .. handlers.OfType<Type>(),
            .. Tokens(body.GetILAsByteArray()!).SelectMany(Resolve),
        ];

        IEnumerable<Type> Resolve(int token)
        {
            Type[]? ofType = method.DeclaringType!.IsGenericType ? method.DeclaringType.GetGenericArguments() : null;
            Type[]? ofMethod = method.IsGenericMethod ? method.GetGenericArguments() : null;
            return method.Module.ResolveMember(token, ofType, ofMethod) switch
            {
                Type named => [named],
                MethodInfo { IsGenericMethod: true } called => [called.DeclaringType!, .. called.GetGenericArguments()],
                { DeclaringType: { } owner } => [owner],
                _ => [],
            };
        }
    }

    private static IEnumerable<int> Tokens(byte[] instructions)
    {
        for (int at = 0; at < instructions.Length; )
        {
            OpCode opCode =
                instructions[at] == 0xFE ? OpCodeOf[(short)(0xFE00 | instructions[++at])] : OpCodeOf[instructions[at]];
            at++;
            if (
                opCode.OperandType
                is OperandType.InlineField
                    or OperandType.InlineMethod
                    or OperandType.InlineTok
                    or OperandType.InlineType
            )
            {
                yield return BitConverter.ToInt32(instructions, at);
            }

            at += opCode.OperandType switch
            {
                OperandType.InlineNone => 0,
                OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
                OperandType.InlineVar => 2,
                OperandType.InlineI8 or OperandType.InlineR => 8,
                OperandType.InlineSwitch => 4 + (4 * BitConverter.ToInt32(instructions, at)),
                _ => 4,
            };
        }
    }

    private static IEnumerable<Type> Parts(Type? type) =>
        type switch
        {
            null => [],
            { HasElementType: true } => Parts(type.GetElementType()),
            { IsGenericType: true, IsGenericTypeDefinition: false } =>
            [
                type.GetGenericTypeDefinition(),
                .. type.GetGenericArguments().SelectMany(Parts),
            ],
            _ => [type],
        };
}
