namespace Restore.Cli.Help;

/// <summary>Completions for bash, version 3.2 and later.</summary>
internal static class BashCompletion
{
    public static void Write(TextWriter output, CompletionModel model)
    {
        output.WriteLine($$"""
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
            """);
        WriteValues(output, model);
        output.WriteLine("""
                esac

                local options words=''
                case "$command" in
            """);
        foreach (var command in model.Commands)
        {
            output.WriteLine($"        {command.Name})");
            output.WriteLine($"            options='{string.Join(' ', CompletionModel.NamesOf(command))}'");
            output.WriteLine($"            words='{string.Join(' ', model.WordsOf(command))}' ;;");
        }

        output.WriteLine("""
                esac
                if [[ $current == -* ]]; then
                    COMPREPLY=($(IFS=' '; compgen -W "$options" -- "$current"))
                elif ((operands == 0)) && [[ -n $words ]]; then
                    COMPREPLY=($(IFS=' '; compgen -W "$words" -- "$current"))
                fi
            }
            complete -o default -F _restore restore
            """);
    }

    /// <summary>If the function has no reply, bash completes the names of files.</summary>
    private static void WriteValues(TextWriter output, CompletionModel model)
    {
        output.WriteLine($"        {Names(model, option => CompletionModel.KindOf(option) == ValueKind.File)}) return ;;");
        output.WriteLine($"        {Names(model, option => CompletionModel.KindOf(option) == ValueKind.Folder)})");
        output.WriteLine("            compopt -o filenames 2>/dev/null");
        output.WriteLine("            COMPREPLY=($(compgen -d -- \"$current\")); return ;;");
        foreach (var option in model.Options.Where(option => CompletionModel.KindOf(option) == ValueKind.Words))
        {
            output.WriteLine($"        {string.Join('|', option.Names)})");
            output.WriteLine($"            COMPREPLY=($(IFS=' '; compgen -W '{string.Join(' ', option.Words)}' -- \"$current\")); return ;;");
        }

        output.WriteLine($"        {Names(model, option => CompletionModel.KindOf(option) == ValueKind.Free)})");
        output.WriteLine("            compopt +o default 2>/dev/null; return ;;");
    }

    private static string Names(CompletionModel model, Func<Option, bool> which) =>
        string.Join('|', model.Options.Where(which).SelectMany(option => option.Names));
}

internal static class ZshCompletion
{
    public static void Write(TextWriter output, CompletionModel model)
    {
        output.WriteLine($$"""
            #compdef restore
            # zsh completion for restore, printed by 'restore completion zsh'
            _restore_commands() {
                local -a commands=(
            """);
        foreach (var command in model.Named)
        {
            output.WriteLine($"        {Quoted($"{command.Name}:{command.Summary.Replace(":", "\\:", StringComparison.Ordinal)}")}");
        }

        output.WriteLine($$"""
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
            """);
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

        output.WriteLine("""
                esac
            }

            if [[ $funcstack[1] == _restore ]]; then _restore "$@"; else compdef _restore restore; fi
            """);
    }

    private static string Operands(ICliCommand command, CompletionModel model)
    {
        if (command == model.Main)
        {
            return "'1: :_restore_commands' '*:filter:_files'";
        }

        var words = string.Join(' ', model.WordsOf(command));
        return words.Length > 0 ? $"'1: :({command.Name})' '2: :({words})'" : $"'1: :({command.Name})' '2:storage:_files -/' '*:filter:_files'";
    }

    /// <summary>All names of an option exclude each other, unless it can be given several times.</summary>
    private static string Spec(Option option)
    {
        string[] names = [.. option.Names];
        var group = option.IsRepeatable ? "'*'" : $"'({string.Join(' ', names)})'";
        var name = names.Length == 1 ? Written(option, names[0]) : $"{{{string.Join(',', names.Select(name => Written(option, name)))}}}";
        var description = option.ShortDescription.Replace("[", "\\[", StringComparison.Ordinal).Replace("]", "\\]", StringComparison.Ordinal);
        return group + name + Quoted($"[{description}]{Value(option)}");
    }

    private static string Written(Option option, string name) =>
        Quoted(name) + (!option.TakesValue ? "" : name.StartsWith("--", StringComparison.Ordinal) ? "=" : "+");

    private static string Value(Option option) => CompletionModel.KindOf(option) switch
    {
        ValueKind.None => "",
        ValueKind.File => ":file:_files",
        ValueKind.Folder => ":folder:_files -/",
        ValueKind.Words => $":word:({string.Join(' ', option.Words)})",
        _ => $":{option.ValueName}:",
    };

    private static string Quoted(string text) => $"'{text.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}

internal static class FishCompletion
{
    public static void Write(TextWriter output, CompletionModel model)
    {
        var named = string.Join(' ', model.Named.Select(command => command.Name));
        output.WriteLine($$"""
            # fish completion for restore, printed by 'restore completion fish'
            function __restore_command
                for word in (commandline -opc)[2..]
                    switch $word
                        case '-*'
                        case {{named}}
                            echo $word
                            return
                        case '*'
                            break
                    end
                end
                echo {{model.Main.Name}}
            end

            function __restore_is
                contains -- (__restore_command) $argv
            end

            function __restore_is_first
                for word in (commandline -opc)[2..]
                    string match -q -- '-*' $word; or return 1
                end
            end

            """);
        foreach (var command in model.Named)
        {
            output.WriteLine($"complete -c restore -n __restore_is_first -a {command.Name} -d {Quoted(command.Summary)}");
        }

        foreach (var command in model.Named.Where(command => model.WordsOf(command).Any()))
        {
            output.WriteLine($"complete -c restore -n '__restore_is {command.Name}' -f -a '{string.Join(' ', model.WordsOf(command))}'");
        }

        foreach (var option in model.Options)
        {
            var taking = string.Join(' ', model.Taking(option).Select(command => command.Name));
            output.WriteLine($"complete -c restore -n '__restore_is {taking}' {Names(option)}{Value(option)} -d {Quoted(option.ShortDescription)}");
        }
    }

    private static string Names(Option option) => string.Join(
        ' ', option.Names.Select(name => name.StartsWith("--", StringComparison.Ordinal) ? $"-l {name[2..]}" : $"-s {Quoted(name[1..])}"));

    private static string Value(Option option) => CompletionModel.KindOf(option) switch
    {
        ValueKind.None => "",
        ValueKind.File => " -r -F",
        ValueKind.Folder => " -x -a '(__fish_complete_directories)'",
        ValueKind.Words => $" -x -a '{string.Join(' ', option.Words)}'",
        _ => " -x",
    };

    private static string Quoted(string text) => $"'{text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("'", "\\'", StringComparison.Ordinal)}'";
}

internal static class PowerShellCompletion
{
    public static void Write(TextWriter output, CompletionModel model)
    {
        output.WriteLine("""
            # PowerShell completion for restore, printed by 'restore completion pwsh'
            Register-ArgumentCompleter -Native -CommandName restore -ScriptBlock {
                param($word, $ast, $position)
                $commands = [ordered]@{
            """);
        foreach (var command in model.Named)
        {
            output.WriteLine($"        {Quoted(command.Name)} = {Quoted(command.Summary)}");
        }

        output.WriteLine("""
                }
                $words = @{
            """);
        foreach (var command in model.Named.Where(command => model.WordsOf(command).Any()))
        {
            output.WriteLine($"        {Quoted(command.Name)} = {List(model.WordsOf(command))}");
        }

        foreach (var option in model.Options.Where(option => CompletionModel.KindOf(option) == ValueKind.Words))
        {
            output.WriteLine($"        {Quoted(option.Name)} = {List(option.Words)}");
        }

        output.WriteLine("""
                }
                $options = @(
            """);
        foreach (var option in model.Options)
        {
            var taking = List(model.Taking(option).Select(command => command.Name));
            output.WriteLine($"        , @({Quoted(option.ShortDescription)}, {taking}, {List(option.Names)})");
        }

        output.WriteLine($$"""
                )
                $given = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } | Select-Object -Skip 1 | ForEach-Object { "$_" })
                $operands = @($given | Where-Object { $_ -notlike '-*' })
                $command = if ($operands.Count -gt 0 -and $commands.Contains($operands[0])) { $operands[0] } else { '{{model.Main.Name}}' }
                $offered = @(if ($given.Count -gt 0 -and $words.ContainsKey($given[-1])) {
                    $words[$given[-1]] | ForEach-Object { , @($_, $_) }
                } elseif ($word -like '-*') {
                    $options | Where-Object { $_[1] -contains $command } | ForEach-Object { foreach ($name in $_[2]) { , @($name, $_[0]) } }
                } elseif ($operands.Count -eq 0) {
                    $commands.Keys | ForEach-Object { , @($_, $commands[$_]) }
                })
                $offered | Where-Object { $_[0] -like "$word*" } | ForEach-Object {
                    [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])
                }
            }
            """);
    }

    private static string List(IEnumerable<string> words) => $"@({string.Join(", ", words.Select(Quoted))})";

    private static string Quoted(string text) => $"'{text.Replace("'", "''", StringComparison.Ordinal)}'";
}
