namespace Restore.Benchmarks.Start;

/// <summary>A method as the runtime names it when it compiles it (<c>DOTNET_JitDisasmSummary</c>).</summary>
/// <param name="Type">The type that has it.</param>
/// <param name="Name">Its name.</param>
/// <param name="Arguments">Its type arguments.</param>
/// <param name="Parameters">The number of its parameters.</param>
internal sealed record JittedMethod(JittedType Type, string Name, IReadOnlyList<JittedType> Arguments, int Parameters)
{
    private const string Start = "JIT compiled ";

    /// <summary>Whether it is an instance of a generic method, or of a method of a generic type.</summary>
    public bool IsInstance => Arguments.Count > 0 || Type.Arguments.Count > 0;

    /// <summary>Reads a line; null if it does not name a method of an assembly.</summary>
    public static JittedMethod? Parse(string line)
    {
        int start = line.IndexOf(Start, StringComparison.Ordinal);
        int end = line.LastIndexOf(" [", StringComparison.Ordinal);
        if (start < 0 || end < start || line.Contains("(dynamicClass)", StringComparison.Ordinal))
        {
            return null;
        }

        string text = line[(start + Start.Length)..end];
        int colon = IndexOutside(text, ':', 0);
        int parameters = IndexOutside(text, '(', colon + 1);
        if (colon < 0 || parameters < 0)
        {
            return null;
        }

        int position = 0;
        JittedType type = JittedType.Parse(text, ref position);
        string method = text[(colon + 1)..parameters];
        int bracket = method.IndexOf('[', StringComparison.Ordinal);
        string inside = text[(parameters + 1)..text.LastIndexOf(')')];
        position = bracket + 1;
        return new JittedMethod(
            type,
            bracket < 0 ? method : method[..bracket],
            bracket < 0 ? [] : JittedType.ParseList(method, ref position),
            inside.Length == 0 ? 0 : Split(inside).Count());
    }

    private static IEnumerable<string> Split(string list)
    {
        int start = 0;
        int comma;
        while ((comma = IndexOutside(list, ',', start)) >= 0)
        {
            yield return list[start..comma];
            start = comma + 1;
        }

        yield return list[start..];
    }

    /// <summary>The next place of a character outside of square brackets.</summary>
    private static int IndexOutside(string text, char wanted, int start)
    {
        int depth = 0;
        for (int i = Math.Max(0, start); i < text.Length; i++)
        {
            if (depth == 0 && text[i] == wanted)
            {
                return i;
            }

            depth += text[i] switch { '[' => 1, ']' => -1, _ => 0 };
        }

        return -1;
    }
}

/// <summary>A type as the runtime names it: <c>System.ValueTuple`2[int,System.__Canon][]</c>.</summary>
/// <param name="Name">Its name without type arguments.</param>
/// <param name="Arguments">Its type arguments.</param>
/// <param name="Arrays">How many arrays it is in.</param>
internal sealed record JittedType(string Name, IReadOnlyList<JittedType> Arguments, int Arrays)
{
    public static JittedType Parse(string text, ref int position)
    {
        int start = position;
        while (position < text.Length && text[position] is not ('[' or ']' or ',' or ':'))
        {
            position++;
        }

        string name = text[start..position];
        IReadOnlyList<JittedType> arguments = [];
        if (name.Contains('`', StringComparison.Ordinal) && position < text.Length && text[position] == '[')
        {
            position++;
            arguments = ParseList(text, ref position);
        }

        int arrays = 0;
        while (position + 1 < text.Length && text[position] == '[' && text[position + 1] == ']')
        {
            arrays++;
            position += 2;
        }

        return new JittedType(name, arguments, arrays);
    }

    /// <summary>Types up to the bracket that ends them.</summary>
    public static IReadOnlyList<JittedType> ParseList(string text, ref int position)
    {
        List<JittedType> all = [];
        while (position < text.Length && text[position] != ']')
        {
            all.Add(Parse(text, ref position));
            position += position < text.Length && text[position] == ',' ? 1 : 0;
        }

        position++;
        return all;
    }
}
