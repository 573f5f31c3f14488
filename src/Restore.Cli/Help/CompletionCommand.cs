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
            throw new UsageException($"Give the name of a shell: {string.Join(", ", Shells.Select(known => known.Name))}");
        }

        Shells[shell].Write(context.Output, new CompletionModel(commands));
        return Task.FromResult(ExitCodes.Complete);
    }
}

internal sealed class CompletionModel(IReadOnlyList<ICliCommand> commands)
{
    /// <summary>The command that runs if none is named.</summary>
    public ICliCommand Main => commands[0];

    public IReadOnlyList<ICliCommand> Named { get; } = [.. commands.Skip(1)];

    public IReadOnlyList<ICliCommand> Commands => commands;

    public IReadOnlyList<Option> Options { get; } = [.. commands.SelectMany(OptionsOf).Distinct()];

    public static IEnumerable<Option> OptionsOf(ICliCommand command) => command.Options.SelectMany(group => group.Options);

    public static IEnumerable<string> NamesOf(ICliCommand command) => OptionsOf(command).SelectMany(option => option.Names);

    public IEnumerable<ICliCommand> Taking(Option option) => commands.Where(command => OptionsOf(command).Contains(option));

    /// <summary>The possible words of the first operand: another command, or what the command declares; empty if it is free text.</summary>
    public IEnumerable<string> WordsOf(ICliCommand command) =>
        command == Main ? Named.Select(named => named.Name) : command.Operands.SelectMany(operand => operand.Words);

    public static ValueKind KindOf(Option option) => option switch
    {
        _ when !option.TakesValue => ValueKind.None,
        _ when option.Words.Length > 0 => ValueKind.Words,
        { ValueName: "FILE" } => ValueKind.File,
        { ValueName: "FOLDER" } => ValueKind.Folder,
        _ => ValueKind.Free,
    };
}

internal enum ValueKind
{
    /// <summary>A switch.</summary>
    None,

    /// <summary>Nothing: a number, a size, a text.</summary>
    Free,
    File,
    Folder,
    Words,
}
