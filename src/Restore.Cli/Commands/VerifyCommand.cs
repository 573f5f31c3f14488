using Restore.Cli.Options;

namespace Restore.Cli.Commands;

/// <summary><c>restore verify</c>: a drill, a restore without writing.</summary>
internal sealed class VerifyCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "verify";

    public string Summary => "a drill: everything a restore does but writing";

    public IReadOnlyList<Operand> Operands => [Operand.Storage, Operand.Filters with { Meaning = "what to verify; without one, everything" }];

    public IReadOnlyList<OptionGroup> Options =>
    [
        shared.Version, shared.Filters, shared.Metadata, shared.Drill, shared.Salvage, shared.DryRun,
        shared.Access, shared.Tuning, shared.Output, shared.Report, shared.Program,
    ];

    public IReadOnlyList<string> Examples =>
    [
        "restore verify /mnt/backup",
        "restore verify /mnt/backup --passphrase-file=/root/secret --quiet",
        "restore verify /mnt/backup --all-versions --sample=5% --report=/tmp/drill.html",
    ];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context)
    {
        var request = context.Request;
        return RestoreRun.RunAsync(context with { Request = request with { Restore = request.Restore with { VerifyOnly = true } } });
    }
}
