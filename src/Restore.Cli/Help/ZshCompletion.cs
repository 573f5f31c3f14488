namespace Restore.Cli.Help;

internal static class ZshCompletion
{
    public static void Write(TextWriter output, CompletionModel model)
    {
        output.WriteLine(
            $$"""
            #compdef restore
            # zsh completion for restore, printed by 'restore completion zsh'
            _restore_commands() {
                local -a commands=(
            """
        );
        foreach (var command in model.Named)
        {
            output.WriteLine(
                $"        {Quoted($"{command.Name}:{command.Summary.Replace(":", "\\:", StringComparison.Ordinal)}")}"
            );
        }

        output.WriteLine(
            $$"""
                )
                _describe -t commands command commands
                _files
            }

            _restore() {
                local -a named=({{string.Join(' ', model.Named.Select(command => command.Name))}})
                local -a given=(${words[2,CURRENT-1]:#-*})
                local command="$given[1]"
                (( ${named[(Ie)$command]} )) || command='{{model.Main.Name}}'
                case "$command" in
            """
        );
        foreach (var command in model.Commands)
        {
            output.WriteLine($"        {command.Name})");
            output.WriteLine("            _arguments \\");
            foreach (var option in CompletionModel.OptionsOf(command))
            {
                output.WriteLine($"                {Spec(option)} \\");
            }

            output.WriteLine($"                {Operands(command, model)} ;;");
        }

        output.WriteLine(
            """
                esac
            }

            if [[ $funcstack[1] == _restore ]]; then _restore "$@"; else compdef _restore restore; fi
            """
        );
    }

    private static string Operands(ICliCommand command, CompletionModel model)
    {
        if (command == model.Main)
        {
            return "'1: :_restore_commands' '*:filter:_files'";
        }

        var words = string.Join(' ', model.WordsOf(command));
        return words.Length > 0
            ? $"'1: :({command.Name})' '2: :({words})'"
            : $"'1: :({command.Name})' '2:storage:_files -/' '*:filter:_files'";
    }

    /// <summary>
    /// All names of an option exclude each other, unless it can be given several times.
    /// </summary>
    private static string Spec(Option option)
    {
        string[] names = [.. option.Names];
        var group = option.IsRepeatable ? "'*'" : $"'({string.Join(' ', names)})'";
        var name =
            names.Length == 1
                ? Written(option, names[0])
                : $"{{{string.Join(',', names.Select(name => Written(option, name)))}}}";
        var description = option
            .ShortDescription.Replace("[", "\\[", StringComparison.Ordinal)
            .Replace("]", "\\]", StringComparison.Ordinal);
        return group + name + Quoted($"[{description}]{Value(option)}");
    }

    private static string Written(Option option, string name) =>
        Quoted(name)
        + (
            !option.TakesValue ? ""
            : name.StartsWith("--", StringComparison.Ordinal) ? "="
            : "+"
        );

    private static string Value(Option option) =>
        CompletionModel.KindOf(option) switch
        {
            ValueKind.None => "",
            ValueKind.File => ":file:_files",
            ValueKind.Folder => ":folder:_files -/",
            ValueKind.Words => $":word:({string.Join(' ', option.Words)})",
            _ => $":{option.ValueName}:",
        };

    private static string Quoted(string text) => $"'{text.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
