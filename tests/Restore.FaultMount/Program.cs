using System.Globalization;
using System.Runtime.InteropServices;
using Restore.FaultMount;

// A process of its own: one that is client and server of a FUSE mount cannot be killed. Commands
// come line by line, and each gets one line of answer. The mount ends with the input, so that a
// killed test leaves none.
//
// mount <backing> <folder> [writeback|stream] passes <folder> through to <backing>, with
// "stream" as files that cannot seek fail <call> <n> <errno>
// [times] the n-th call of this kind from now on fails, and so do those that follow, as many as
// times says; with -1 as errno they get no answer count the calls since the last reset, and how
// many of them failed: "failed=1 open=3 write=2" reset no faults, and all counts are zero quit
Faults faults = new();
FuseServer server = new(faults);
string? mounted = null;
void Unmount()
{
    if (mounted is not null)
    {
        _ = Libc.Unmount(mounted, Libc.Detach);
    }
}

void End(PosixSignalContext context)
{
    Unmount();
    Environment.Exit(0);
}

using PosixSignalRegistration terminated = PosixSignalRegistration.Create(PosixSignal.SIGTERM, End);
using PosixSignalRegistration interrupted = PosixSignalRegistration.Create(PosixSignal.SIGINT, End);
using PosixSignalRegistration hungUp = PosixSignalRegistration.Create(PosixSignal.SIGHUP, End);
while (Console.In.ReadLine() is string line && line != "quit")
{
    Console.Out.WriteLine(Answer(line.Split(' ')));
}

Unmount();
Environment.Exit(0);

string Answer(string[] words)
{
    switch (words)
    {
        case ["mount", string backing, string folder, .. string[] options]:
            string? problem = server.Start(backing, folder, options is ["writeback"], options is ["stream"]);
            mounted = problem is null ? folder : null;
            return problem ?? "ok";
        case ["fail", string call, string first, string error, .. string[] times]:
            faults.Arm(call, Number(first), Number(error), times.Length > 0 ? Number(times[0]) : 1);
            return "ok";
        case ["count"]:
            return faults.Counts();
        case ["reset"]:
            faults.Reset();
            server.EndHanging();
            return "ok";
        default:
            return "not understood";
    }
}

static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);
