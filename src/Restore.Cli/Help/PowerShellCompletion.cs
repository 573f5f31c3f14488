namespace Restore.Cli.Help;

internal static class PowerShellCompletion
{
    public static void Write(TextWriter output, CompletionModel model)
    {
        output.WriteLine(
            """
            # PowerShell completion for restore, printed by 'restore completion pwsh'
            Register-ArgumentCompleter -Native -CommandName restore -ScriptBlock {
                param($word, $ast, $position)
                $commands = [ordered]@{
            """
        );
        foreach (var command in model.Named)
        {
            output.WriteLine($"        {Quoted(command.Name)} = {Quoted(command.Summary)}");
        }

        output.WriteLine(
            """
                }
                $words = @{
            """
        );
        foreach (var command in model.Named.Where(command => model.WordsOf(command).Any()))
        {
            output.WriteLine($"        {Quoted(command.Name)} = {List(model.WordsOf(command))}");
        }

        foreach (var option in model.Options.Where(option => CompletionModel.KindOf(option) == ValueKind.Words))
        {
            output.WriteLine($"        {Quoted(option.Name)} = {List(option.Words)}");
        }

        output.WriteLine(
            """
                }
                $options = @(
            """
        );
        foreach (var option in model.Options)
        {
            var taking = List(model.Taking(option).Select(command => command.Name));
            output.WriteLine($"        , @({Quoted(option.ShortDescription)}, {taking}, {List(option.Names)})");
        }

        output.WriteLine(
            $$"""
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
            """
        );
    }

    private static string List(IEnumerable<string> words) => $"@({string.Join(", ", words.Select(Quoted))})";

    private static string Quoted(string text) => $"'{text.Replace("'", "''", StringComparison.Ordinal)}'";
}
