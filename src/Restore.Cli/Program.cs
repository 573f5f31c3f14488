using Restore.Cli;

LastResort.Register();
StandardDescriptors.Fill();
CoreDumps.Prevent();

// A process of the network that waits for a file or a server holds its thread; the default, a
// thread for each core, would leave cores idle.
ThreadPool.GetMinThreads(out int workers, out int completions);
ThreadPool.SetMinThreads(Math.Max(workers, 2 * Environment.ProcessorCount), completions);

BundledLibrary.Register();
FileLengthSignal.Handle();
using var interruption = new Interruption();
CliEnvironment environment = CliEnvironment.OfProcess(interruption);
int code = await CliApplication.RunAsync(args, environment);
ConsoleWindow.Hold(args, environment);
return code;
