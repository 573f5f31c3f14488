using Microsoft.AspNetCore.Connections;

namespace Restore.Web.Http;

/// <summary>
/// The open connections. When there are too many, the one that was idle for the longest time is
/// closed: a program of another user that opens many and asks for nothing does not keep the browser
/// out.
/// </summary>
internal sealed class Connections(int most)
{
    private readonly Lock gate = new();
    private readonly Dictionary<string, Connection> open = new(StringComparer.Ordinal);
    private long uses;

    public ConnectionDelegate Watch(ConnectionDelegate next) =>
        async context =>
        {
            Enter(context)?.Abort(new ConnectionAbortedException("There are too many connections"));
            try
            {
                await next(context).ConfigureAwait(false);
            }
            finally
            {
                lock (gate)
                {
                    open.Remove(context.ConnectionId);
                }
            }
        };

    /// <summary>A connection is not idle while a request is answered.</summary>
    public async Task AnswerAsync(HttpContext context, RequestDelegate handle)
    {
        SetBusy(context.Connection.Id, isBusy: true);
        try
        {
            await handle(context).ConfigureAwait(false);
        }
        finally
        {
            SetBusy(context.Connection.Id, isBusy: false);
        }
    }

    /// <summary>Returns the connection to close: the new one if all others are in use.</summary>
    private ConnectionContext? Enter(ConnectionContext context)
    {
        lock (gate)
        {
            Connection? idle =
                open.Count < most ? null : open.Values.Where(known => !known.IsBusy).MinBy(known => known.LastUse);
            if (open.Count >= most && idle is null)
            {
                return context;
            }

            if (idle is not null)
            {
                open.Remove(idle.Context.ConnectionId);
            }

            open.Add(context.ConnectionId, new Connection(context) { LastUse = ++uses });
            return idle?.Context;
        }
    }

    private void SetBusy(string id, bool isBusy)
    {
        lock (gate)
        {
            if (open.TryGetValue(id, out Connection? known))
            {
                (known.IsBusy, known.LastUse) = (isBusy, ++uses);
            }
        }
    }

    private sealed class Connection(ConnectionContext context)
    {
        public ConnectionContext Context => context;

        public bool IsBusy { get; set; }
        public long LastUse { get; set; }
    }
}
