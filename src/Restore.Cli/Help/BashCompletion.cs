namespace Restore.Cli.Help;

/// <summary>Completions for bash, version 3.2 and later.</summary>
internal static class BashCompletion
{
    public static void Write(TextWriter output, CompletionModel model)
    {
        // Bash splits words at an equals sign too (COMP_WORDBREAKS), so --name=value is three
        // words. The loop therefore skips a value after an equals sign and a value after a space.
        output.WriteLine(
            $$"""
            # bash completion for restore, printed by 'restore completion bash'
            _restore() {
                local IFS=$'\n'
                local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" command='{{model.Main.Name}}' operands=0 i
                if [[ $current == '=' ]]; then
                    current=''
                elif [[ $previous == '=' ]]; then
                    previous="${COMP_WORDS[COMP_CWORD-2]}"
                fi

                for ((i = 1; i < COMP_CWORD; i++)); do
                    case "${COMP_WORDS[i]}" in
                        =) ((i++)) ;;
                        {{Names(model, option => option.TakesValue)}})
                            [[ ${COMP_WORDS[i+1]} == '=' ]] || ((i++)) ;;
                        -*) ;;
                        {{string.Join('|', model.Named.Select(command => command.Name))}})
                            if ((operands == 0)) && [[ $command == '{{model.Main.Name}}' ]]; then command="${COMP_WORDS[i]}"; else ((operands++)); fi ;;
                        *) ((operands++)) ;;
                    esac
                done

                COMPREPLY=()
                case "$previous" in
            """
        );
        WriteValues(output, model);
        output.WriteLine(
            """
                esac

                local options words=''
                case "$command" in
            """
        );
        foreach (var command in model.Commands)
        {
            output.WriteLine($"        {command.Name})");
            output.WriteLine($"            options='{string.Join(' ', CompletionModel.NamesOf(command))}'");
            output.WriteLine($"            words='{string.Join(' ', model.WordsOf(command))}' ;;");
        }

        output.WriteLine(
            """
                esac
                if [[ $current == -* ]]; then
                    COMPREPLY=($(IFS=' '; compgen -W "$options" -- "$current"))
                elif ((operands == 0)) && [[ -n $words ]]; then
                    COMPREPLY=($(IFS=' '; compgen -W "$words" -- "$current"))
                fi
            }
            complete -o default -F _restore restore
            """
        );
    }

    /// <summary>If the function has no reply, bash completes the names of files.</summary>
    private static void WriteValues(TextWriter output, CompletionModel model)
    {
        output.WriteLine(
            $"        {Names(model, option => CompletionModel.KindOf(option) == ValueKind.File)}) return ;;"
        );
        output.WriteLine($"        {Names(model, option => CompletionModel.KindOf(option) == ValueKind.Folder)})");
        output.WriteLine("            compopt -o filenames 2>/dev/null");
        output.WriteLine("            COMPREPLY=($(compgen -d -- \"$current\")); return ;;");
        foreach (var option in model.Options.Where(option => CompletionModel.KindOf(option) == ValueKind.Words))
        {
            output.WriteLine($"        {string.Join('|', option.Names)})");
            output.WriteLine(
                $"            COMPREPLY=($(IFS=' '; compgen -W '{string.Join(' ', option.Words)}' -- \"$current\")); return ;;"
            );
        }

        output.WriteLine($"        {Names(model, option => CompletionModel.KindOf(option) == ValueKind.Free)})");
        output.WriteLine("            compopt +o default 2>/dev/null; return ;;");
    }

    private static string Names(CompletionModel model, Func<Option, bool> which) =>
        string.Join('|', model.Options.Where(which).SelectMany(option => option.Names));
}
