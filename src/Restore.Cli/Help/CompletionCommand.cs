namespace Restore.Cli.Help;

internal sealed class CompletionCommand(SharedOptions shared, IReadOnlyList<ICliCommand> commands) : ICliCommand
{
    private static readonly (string Name, Action<TextWriter, CompletionModel> Write)[] Shells =
    [
        ("bash", BashCompletion.Write),
        ("zsh", ZshCompletion.Write),
        ("fish", FishCompletion.Write),
        ("pwsh", PowerShellCompletion.Write),
    ];

    public string Name => "completion";

    public string Summary => "print a script that completes commands and options in a shell";

    public IReadOnlyList<Operand> Operands =>
        [
            new Operand("<bash|zsh|fish|pwsh>", "the shell")
            {
                Words = [.. Shells.Select(shell => shell.Name)],
                Title = "To use it",
                Details = """
                    bash    restore completion bash > ~/.local/share/bash-completion/completions/restore
                    zsh     restore completion zsh > ~/.zfunc/_restore    (with ~/.zfunc in fpath)
                    fish    restore completion fish > ~/.config/fish/completions/restore.fish
                    pwsh    restore completion pwsh | Out-String | Invoke-Expression    (in $PROFILE)
                    """,
            },
        ];

    public IReadOnlyList<OptionGroup> Options => [shared.Program];

    public IReadOnlyList<string> Examples => ["restore completion bash"];

    public Task<int> RunAsync(CommandContext context)
    {
        var shell = Array.FindIndex(Shells, shell => context.Request.Operands is [var name] && name == shell.Name);
        if (shell < 0)
        {
            throw new UsageException(
                $"Give the name of a shell: {string.Join(", ", Shells.Select(known => known.Name))}"
            );
        }

        using StringWriter script = new() { NewLine = context.Output.NewLine };
        Shells[shell].Write(script, new CompletionModel(commands));
        context.Output.WriteWhole(script.ToString().TrimEnd());
        return Task.FromResult(ExitCodes.Complete);
    }
}
