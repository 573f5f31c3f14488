namespace Restore.Browse.Assessing;

/// <summary>
/// Which versions are good. An assessment reads all lists again, so it starts when it is asked for.
/// </summary>
internal sealed class BackupVerdicts(Backup backup, CancellationToken stopping) : IAsyncDisposable
{
    private readonly Lock gate = new();
    private Task<BackupAssessment>? assessment;

    /// <summary>Null before it was started.</summary>
    public Task<BackupAssessment>? Assessment
    {
        get
        {
            lock (gate)
            {
                return assessment;
            }
        }
    }

    /// <summary>Starts it; again if it failed: a connection may be back.</summary>
    public void Start()
    {
        lock (gate)
        {
            if (assessment is null or { IsFaulted: true })
            {
                assessment = Task.Run(() => backup.AssessAsync(null, null, stopping), stopping);
            }
        }
    }

    public async ValueTask DisposeAsync() =>
        await ((Task?)Assessment ?? Task.CompletedTask).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
}
