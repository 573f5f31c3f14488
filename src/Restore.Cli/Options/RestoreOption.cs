using System.CommandLine.Parsing;
using Restore.Cli.Help;

namespace Restore.Cli.Options;

/// <summary>
/// An option of this program: for System.CommandLine a name, a value and a parser; for the rest of
/// the program what help shows and what the value changes in the request. <see cref="Declare"/> has
/// the kinds.
/// </summary>
internal sealed class RestoreOption<T> : Option<T>, IRestoreOption
{
    private readonly Func<string, (T Value, string? Error)> read;
    private Func<HostRequest, T, HostRequest>? apply;
    private Func<ICliCommand, string?>? refusal;

    public RestoreOption(string name, string description, string[] aliases, Func<string, (T Value, string? Error)> read)
        : base(name, aliases)
    {
        this.read = read;
        Description = description;

        // An option can be given several times, in a script and by its caller, as in Duplicati: the
        // last use counts.
        Arity = ArgumentArity.ZeroOrMore;
        CustomParser = ReadLast;
    }

    public string? DefaultText { get; init; }

    public string? Range { get; init; }

    public bool IsRepeatable
    {
        get;
        init
        {
            field = value;

            // The library counts the values of an option, and has a limit, unless one use may have
            // several.
            AllowMultipleArgumentsPerToken = value;
        }
    }

    public IReadOnlyList<string> OtherWords { get; init; } = [];

    public bool NamesBackup { get; private set; }

    public bool NamesTarget { get; private set; }

    public string? RefusalBy(ICliCommand command) => refusal?.Invoke(command);

    public HostRequest Apply(HostRequest request, ParseResult result, string text) =>
        apply is null ? request : apply(request, IsRepeatable ? read(text).Value : result.GetValue(this)!);

    /// <summary>Says when a command that does not take this option is refused with it.</summary>
    public RestoreOption<T> RefusedBy(Func<ICliCommand, string?> reason)
    {
        refusal = reason;
        return this;
    }

    /// <summary>
    /// Says that the option leaves something out: a command that does not take it would restore,
    /// keep or delete more than the user means.
    /// </summary>
    public RestoreOption<T> Narrows() =>
        RefusedBy(command =>
            $"{Name} cannot be used: restore {command.Name} does not take it, and would take more than it selects"
        );

    /// <summary>Says that the option names the backup, so that no argument does.</summary>
    public RestoreOption<T> IsBackup()
    {
        NamesBackup = true;
        return this;
    }

    /// <summary>Says that the value is the folder that is written to.</summary>
    public RestoreOption<T> IsTarget()
    {
        NamesTarget = true;
        return this;
    }

    /// <summary>Says that the switch asks the program something, and no command runs.</summary>
    public RestoreOption<T> Answers(AnswerAction answer)
    {
        Action = answer;
        return this;
    }

    public RestoreOption<T> Sets(Func<HostRequest, T, HostRequest> set)
    {
        apply = set;
        return this;
    }

    public RestoreOption<T> SetsBackup(Func<BackupOptions, T, BackupOptions> set) =>
        Sets((request, value) => request with { Backup = set(request.Backup, value) });

    public RestoreOption<T> SetsRestore(Func<RestoreOptions, T, RestoreOptions> set) =>
        Sets((request, value) => request with { Restore = set(request.Restore, value) });

    public RestoreOption<T> SetsExecution(Func<ExecuteOptions, T, ExecuteOptions> set) =>
        Sets((request, value) => request with { Execution = set(request.Execution, value) });

    public RestoreOption<T> SetsTuning(Func<RestoreTuning, T, RestoreTuning> set) =>
        SetsExecution((execution, value) => execution with { Tuning = set(execution.Tuning, value) });

    public RestoreOption<T> SetsWriter(Func<BackupWriterOptions, T, BackupWriterOptions> set) =>
        Sets((request, value) => request with { Writer = set(request.Writer, value) });

    public RestoreOption<T> SetsRun(Func<RunRequest, T, RunRequest> set) =>
        Sets((request, value) => request with { Run = set(request.Run, value) });

    private T? ReadLast(ArgumentResult result)
    {
        if (result.Tokens is not [.., var last])
        {
            return default;
        }

        var (value, error) = read(last.Value);
        if (error is not null)
        {
            result.AddError($"{Name}: {error}");
        }

        return value;
    }
}
