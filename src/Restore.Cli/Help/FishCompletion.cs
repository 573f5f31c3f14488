namespace Restore.Cli.Help;

internal static class FishCompletion
{
    public static void Write(TextWriter output, CompletionModel model)
    {
        var named = string.Join(' ', model.Named.Select(command => command.Name));
        output.WriteLine(
            $$"""
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

            """
        );
        foreach (var command in model.Named)
        {
            output.WriteLine(
                $"complete -c restore -n __restore_is_first -a {command.Name} -d {Quoted(command.Summary)}"
            );
        }

        foreach (var command in model.Named.Where(command => model.WordsOf(command).Any()))
        {
            output.WriteLine(
                $"complete -c restore -n '__restore_is {command.Name}' -f -a '{string.Join(' ', model.WordsOf(command))}'"
            );
        }

        foreach (var option in model.Options)
        {
            var taking = string.Join(' ', model.Taking(option).Select(command => command.Name));
            output.WriteLine(
                $"complete -c restore -n '__restore_is {taking}' {Names(option)}{Value(option)} -d {Quoted(option.ShortDescription)}"
            );
        }
    }

    private static string Names(Option option) =>
        string.Join(
            ' ',
            option.Names.Select(name =>
                name.StartsWith("--", StringComparison.Ordinal) ? $"-l {name[2..]}" : $"-s {Quoted(name[1..])}"
            )
        );

    private static string Value(Option option) =>
        CompletionModel.KindOf(option) switch
        {
            ValueKind.None => "",
            ValueKind.File => " -r -F",
            ValueKind.Folder => " -x -a '(__fish_complete_directories)'",
            ValueKind.Words => $" -x -a '{string.Join(' ', option.Words)}'",
            _ => " -x",
        };

    private static string Quoted(string text) =>
        $"'{text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("'", "\\'", StringComparison.Ordinal)}'";
}
